//! Traces that go on in the process that takes the next step: the context of the work at hand as
//! text, a W3C `traceparent`, which travels in the job's row.

use std::collections::HashMap;

use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::TraceContextExt;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The header's name in W3C Trace Context, and the only part of it that is kept.
const TRACEPARENT: &str = "traceparent";

/// The context of the current span; `None` where nothing is traced.
pub fn current() -> Option<String> {
    let context = Span::current().context();
    if !context.span().span_context().is_sampled() {
        return None;
    }
    let mut carrier = HashMap::new();
    TraceContextPropagator::new().inject_context(&context, &mut carrier);
    carrier.remove(TRACEPARENT)
}

/// Makes `span` a part of the trace that `context` belongs to.
pub fn go_on(span: &Span, context: Option<&str>) {
    let Some(context) = context else { return };
    let carrier = HashMap::from([(TRACEPARENT.to_owned(), context.to_owned())]);
    // It fails for a span that nobody traces.
    let _ = span.set_parent(TraceContextPropagator::new().extract(&carrier));
}
