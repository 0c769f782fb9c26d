//! The calendar: days since 1970 to year, month and day, and back. Proleptic Gregorian, UTC, years 0 to 9999.

/// The seconds of a day.
const DAY: i64 = 86_400;
/// Four hundred years have the same number of days, wherever they start.
const DAYS_OF_400_YEARS: i64 = 146_097;
/// From 1 March of year 0 to 1 January 1970.
const DAYS_TO_1970: i64 = 719_468;

/// A moment as people write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Civil {
    /// The year, 0 to 9999.
    pub year: i64,
    /// The month, from 1.
    pub month: i64,
    /// The day of the month, from 1.
    pub day: i64,
    /// The hour, 0 to 23.
    pub hour: i64,
    /// The minute.
    pub minute: i64,
    /// The second.
    pub second: i64,
}

impl Civil {
    /// Checks that there is such a moment; a leap second counts as the one before it.
    pub fn checked(self) -> Option<Self> {
        let valid = (0..=9999).contains(&self.year)
            && (1..=12).contains(&self.month)
            && (1..=days_of_month(self.year, self.month)).contains(&self.day)
            && (0..24).contains(&self.hour)
            && (0..60).contains(&self.minute)
            && (0..=60).contains(&self.second);
        valid.then_some(Self { second: self.second.min(59), ..self })
    }

    /// Counts the seconds since 1970.
    pub fn seconds(self) -> i64 {
        // Counted from March, the leap day is the last of its year, and months have 31, 30, 31, 30, 31 days in turn.
        let (year, month) = if self.month > 2 { (self.year, self.month - 3) } else { (self.year - 1, self.month + 9) };
        let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        let days = year * 365 + leap_days + (153 * month + 2) / 5 + self.day - 1 - DAYS_TO_1970;
        days * DAY + self.hour * 3600 + self.minute * 60 + self.second
    }

    /// Reads seconds since 1970; what the years 0 to 9999 do not reach becomes their first or last second.
    pub fn of(seconds: i64) -> Self {
        let first = Self { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0 }.seconds();
        let last = Self { year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59 }.seconds();
        let seconds = seconds.clamp(first, last);
        let days = seconds.div_euclid(DAY) + DAYS_TO_1970;
        let in_day = seconds.rem_euclid(DAY);
        let day_of_era = days.rem_euclid(DAYS_OF_400_YEARS);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        let year = days.div_euclid(DAYS_OF_400_YEARS) * 400 + year_of_era + i64::from(month <= 2);
        let day = day_of_year - (153 * march_month + 2) / 5 + 1;
        Self { year, month, day, hour: in_day / 3600, minute: in_day / 60 % 60, second: in_day % 60 }
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
    use super::*;

    #[test]
    fn every_day_of_four_centuries_goes_both_ways_and_follows_the_one_before() {
        let mut expected = Civil { year: 1800, month: 1, day: 1, hour: 12, minute: 34, second: 56 };
        let mut seconds = expected.seconds();
        for _ in 0..DAYS_OF_400_YEARS + 366 {
            assert_eq!(Civil::of(seconds), expected);
            assert_eq!(expected.seconds(), seconds);
            seconds += DAY;
            expected.day += 1;
            if expected.day > days_of_month(expected.year, expected.month) {
                (expected.day, expected.month) = (1, expected.month + 1);
            }
            if expected.month > 12 {
                (expected.month, expected.year) = (1, expected.year + 1);
            }
        }
    }

    #[test]
    fn the_epoch_is_1970() {
        assert_eq!(Civil { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0 }.seconds(), 0);
        assert_eq!(Civil::of(951_827_696), Civil { year: 2000, month: 2, day: 29, hour: 12, minute: 34, second: 56 });
    }

    #[test]
    fn far_away_is_the_end_of_the_calendar() {
        assert_eq!(Civil::of(i64::MIN / 2).year, 0);
        assert_eq!(Civil::of(i64::MAX / 2).year, 9999);
    }
}
