use super::*;

/// Reads a line, `~` standing for a blank, and shows what is asked for.
fn check(line: &str, expected: &str) {
    let words: Vec<OsString> = line.split(' ').map(|word| word.replace('~', " ").into()).collect();
    let got = match parse(&words) {
        Err(failure) => failure.message.clone(),
        Ok(Asked::Page(page)) => page.lines().find(|line| line.contains("huddle")).unwrap_or_default().to_owned(),
        Ok(Asked::Run(run)) => {
            let Run { global, command, .. } = *run;
            format!("{} {} {command:?}", global.json, global.lock_wait)
        }
    };
    assert_eq!(got, expected, "{line}");
}

#[test]
fn command_line_is_sound() {
    Cli::command().debug_assert();
}

#[test]
fn every_command_and_argument_has_help() {
    fn check(command: &clap::Command) {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        assert!(about.starts_with(char::is_uppercase), "{}: {about:?}", command.get_name());
        for argument in command.get_arguments() {
            assert!(argument.get_help().is_some(), "{} {}", command.get_name(), argument.get_id());
        }
        command.get_subcommands().for_each(check);
    }
    check(&Cli::command());
}

#[test]
fn words_find_their_place() {
    let ack = |id: &str, note: &str| format!("false 30 seconds Ack(AckArgs {{ id: {id:?}, note: {note} }})");
    check("ack msg_1", &ack("msg_1", "None"));
    check("ack --note -k msg_1", &ack("msg_1", r#"Some("-k")"#));
    check("ack --note=a=b -~a~list", &ack("- a list", r#"Some("a=b")"#));
    check("ack --note --x -- --json", &ack("--json", r#"Some("--x")"#));
    check("ack -from:ann --note -", &ack("-from:ann", r#"Some("-")"#));
    check("ack -5", &ack("-5", "None"));
    check("--json --lock-wait 1 init --json --lock-wait=2", "true 2 seconds Init(InitArgs)");
}

#[test]
fn argument_that_may_be_left_out_is_told_from_the_one_behind_it() {
    let progress = |agent: &str, text: &str| {
        let session = "session: SessionOption { id: Some(\"s1\") }";
        format!(
            "false 30 seconds Session(SessionArgs {{ command: Progress(ProgressArgs {{ agent: {agent}, text: {text:?}, {session} }}) }})"
        )
    };
    check("session progress half --id s1", &progress("None", "half"));
    check("session progress --id s1 half", &progress("None", "half"));
    check("session progress ann half --id s1", &progress(r#"Some("ann")"#, "half"));
    check("session progress ann --id s1 half", &progress(r#"Some("ann")"#, "half"));
    check("session progress --id s1 -~half", &progress("None", "- half"));
    check("session progress ann -~half --id=s1", &progress(r#"Some("ann")"#, "- half"));
    check("session progress ann --id s1 -- --half", &progress(r#"Some("ann")"#, "--half"));
    check("session progress --id s1 a b c", "\"c\" is one argument too many");
}

#[test]
fn help_and_version_come_before_anything_is_missed() {
    check("--help", "usage: huddle COMMAND");
    check("ack --help", "usage: huddle ack ID [OPTION]…");
    check("register ann -h", "usage: huddle register [AGENT] --role ROLE [OPTION]…");
    check("subscribe -h", "usage: huddle subscribe EVENT…");
    check("-V", crate::VERSION);
}

#[test]
fn faults_are_named() {
    check("snd", "there is no command huddle snd; did you mean send?");
    check("zzzzz", "there is no command huddle zzzzz");
    check("register", "--role is missing");
    check("register ann", "--role is missing");
    check("session progress", "TEXT is missing");
    check("session log", "TYPE is missing");
    check("subscribe", "EVENT is missing");
    check("ack msg_1 --note", "--note needs a value: TEXT");
    check("ack msg_1 --note --json", "--note needs a value: TEXT");
    check("ack msg_1 --note a --note b", "--note was given twice");
    check("inbox --all --all", "--all was given twice");
    check("inbox --all=yes", "--all takes no value");
    check("inbox --limit few", "\"few\" is no good for --limit: give a whole number");
    check("ack --nte x", "huddle ack has no option --nte; did you mean --note?");
    check("ack a b", "\"b\" is one argument too many");
    check("ack a -- --b", "\"--b\" is one argument too many");
    check("ack -n", "huddle ack has no option -n");
    check(
        "inbox --lock-wait long",
        "\"long\" is no good for --lock-wait: give seconds, or a span such as 90s, 5m or 2h",
    );
    check("mongodb://ann:s3cret@db/x", "there is no command huddle mongodb://…@db/x");
    check("ack a mongodb://ann:s3cret@db/x", "\"mongodb://…@db/x\" is one argument too many");
    check("ack --mongodb://ann:s3cret@db/x", "huddle ack has no option --mongodb://…@db/x");
}
