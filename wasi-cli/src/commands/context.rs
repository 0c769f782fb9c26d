//! `huddle context`

use huddle_core::bus::ContextUpdated;
use huddle_core::model::{Context, ContextName};
use huddle_core::wire::answer;

use crate::args::{Args, Spec, maybe, must, option};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

pub(super) const SPEC: Spec =
    Spec::group("huddle context", "Keep documents that agents extend together", &[CREATE, SHOW, LIST, UPDATE]);

const CREATE: Spec = Spec::command(
    "huddle context create",
    "Start a shared context",
    &[
        must("NAME", "the context's name"),
        maybe("TEXT", "what it begins with, in Markdown; @FILE reads a file, - reads standard input"),
    ],
    create,
);

const SHOW: Spec =
    Spec::command("huddle context show", "Print a shared context", &[must("NAME", "the context's name")], show);

const LIST: Spec = Spec::command("huddle context list", "List the shared contexts", &[], list);

const UPDATE: Spec = Spec::command(
    "huddle context update",
    "Add to a shared context and tell everybody",
    &[
        must("NAME", "the context's name"),
        must("TEXT", "what to add, in Markdown; @FILE reads a file, - reads standard input"),
        option("expect-version", "N", "refuse when the context is not at this version any more"),
    ],
    update,
);

fn create(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let name: ContextName = args.name("NAME")?;
    let content = call.input.text(args.need("TEXT"))?;
    let made = call.bus.create_context(&me, &name, &content)?;
    call.output.answer(|| answer::context(&made), || format!("✅ Created shared context: {}", made.name))
}

fn show(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let context = call.bus.context(&args.name("NAME")?)?;
    call.output.answer(|| answer::context(&context), || context.text.clone())
}

fn list(_: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let contexts = call.value(call.bus.contexts()?);
    call.output.answer(|| answer::contexts(&contexts), || table(&contexts))
}

fn update(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let me = call.me()?;
    let name: ContextName = args.name("NAME")?;
    let expected = args.number("expect-version")?;
    let content = call.input.text(args.need("TEXT"))?;
    let updated = call.bus.update_context(&me, &name, &content, expected)?;
    call.output.answer(|| answer::context_updated(&updated), || told(&updated))
}

fn table(contexts: &[Context]) -> String {
    if contexts.is_empty() {
        return "No shared contexts. Start one: huddle context create NAME TEXT".to_owned();
    }
    let mut rows = vec![text::row([&"CONTEXT", &"VERSION", &"UPDATED", &"CONTRIBUTORS"])];
    rows.extend(contexts.iter().map(|context| {
        let updated = text::or_dash(context.updated_at.as_ref());
        text::row([&context.name, &context.version, &updated, &text::list(&context.contributors)])
    }));
    text::table(&rows)
}

fn told(ContextUpdated { context, notice, told }: &ContextUpdated) -> String {
    format!(
        "✅ Updated shared context: {} (version {})\n   Notice: {notice} to {}",
        context.name,
        context.version,
        text::list(told)
    )
}
