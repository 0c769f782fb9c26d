//! The calendar: year, month and day to days since 1970. Proleptic Gregorian, UTC, years 0 to 9999.

/// The seconds of a day.
const DAY: i64 = 86_400;
/// From 1 March of year 0 to 1 January 1970.
const DAYS_TO_1970: i64 = 719_468;

/// A moment as people write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Civil {
    /// The year, 0 to 9999.
    pub(super) year: i64,
    /// The month, from 1.
    pub(super) month: i64,
    /// The day of the month, from 1.
    pub(super) day: i64,
    /// The hour, 0 to 23.
    pub(super) hour: i64,
    /// The minute.
    pub(super) minute: i64,
    /// The second.
    pub(super) second: i64,
}

impl Civil {
    /// Checks that there is such a moment; a leap second counts as the one before it.
    pub(super) fn checked(self) -> Option<Self> {
        let valid = (0..=9999).contains(&self.year)
            && (1..=12).contains(&self.month)
            && (1..=days_of_month(self.year, self.month)).contains(&self.day)
            && (0..24).contains(&self.hour)
            && (0..60).contains(&self.minute)
            && (0..=60).contains(&self.second);
        valid.then_some(Self { second: self.second.min(59), ..self })
    }

    /// Counts the seconds since 1970.
    pub(super) fn seconds(self) -> i64 {
        // Counted from March, the leap day is the last of its year, and months have 31, 30, 31, 30, 31 days in turn.
        let (year, month) = if self.month > 2 { (self.year, self.month - 3) } else { (self.year - 1, self.month + 9) };
        let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        let days = year * 365 + leap_days + (153 * month + 2) / 5 + self.day - 1 - DAYS_TO_1970;
        days * DAY + self.hour * 3600 + self.minute * 60 + self.second
    }
}

fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{DateTime, date};

    use super::*;

    fn seconds(at: DateTime) -> i64 {
        let [month, day, hour, minute, second] =
            [at.month(), at.day(), at.hour(), at.minute(), at.second()].map(i64::from);
        Civil { year: at.year().into(), month, day, hour, minute, second }.checked().unwrap().seconds()
    }

    #[test]
    fn every_day_of_four_centuries_follows_the_one_before() {
        let mut day = date(1800, 1, 1);
        let mut expected = seconds(day.at(12, 34, 56, 0));
        while day.year() <= 2200 {
            assert_eq!(seconds(day.at(12, 34, 56, 0)), expected, "{day}");
            expected += DAY;
            day = day.tomorrow().unwrap();
        }
    }

    #[test]
    fn every_year_has_the_length_that_jiff_says() {
        let epoch = date(1970, 1, 1).at(0, 0, 0, 0);
        for year in 0..=9999 {
            for day in [date(year, 1, 1), date(year, 2, 28), date(year, 3, 1), date(year, 12, 31)] {
                let at = day.at(23, 59, 59, 0);
                assert_eq!(seconds(at), at.duration_since(epoch).as_secs(), "{at}");
            }
            let [year, is_leap] = [i64::from(year), i64::from(date(year, 1, 1).in_leap_year())];
            assert_eq!(days_of_month(year, 2), 28 + is_leap, "{year}");
        }
    }

    #[test]
    fn the_epoch_is_1970() {
        assert_eq!(Civil { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0 }.seconds(), 0);
        assert_eq!(Civil { year: 2000, month: 2, day: 29, hour: 12, minute: 34, second: 56 }.seconds(), 951_827_696);
    }
}
