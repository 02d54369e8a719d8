//! What Meta's error codes ask for (WhatsApp facts 33).

use std::time::Duration;

use super::super::SendError;

/// What to do about a refused send.
pub fn classify(
    status: u16,
    code: Option<i64>,
    detail: &str,
    retry_after: Option<Duration>,
) -> SendError {
    let wait = |seconds| SendError::Retry {
        code,
        after: retry_after.or(Some(Duration::from_secs(seconds))),
    };
    match code {
        // Call rates of the app and the account.
        Some(4 | 80007) => wait(60),
        // Throughput of the number.
        Some(130_429) => wait(5),
        // One message per six seconds to the same customer.
        Some(131_056) => wait(6),
        // Maintenance.
        Some(131_057) => wait(120),
        // Token, permission, account or number: nothing goes out until a person acts.
        Some(
            0
            | 3
            | 10
            | 190
            | 200..=299
            | 368
            | 130_497
            | 131_005
            | 131_031
            | 131_042
            | 131_045
            | 133_010,
        ) => SendError::LineRefused { code, detail: detail.to_owned() },
        None if matches!(status, 401 | 403) => {
            SendError::LineRefused { code, detail: detail.to_owned() }
        }
        // Unknown or unavailable: a few tries.
        Some(1 | 2 | 131_000 | 131_016 | 135_000) => SendError::Retry { code, after: retry_after },
        // Shedding load, whatever the code.
        _ if matches!(status, 429 | 503) => SendError::Retry { code, after: retry_after },
        // The platform itself says that it failed; a gateway in front of it knows nothing of it.
        Some(_) if status >= 500 => SendError::Retry { code, after: retry_after },
        None if status >= 500 => {
            SendError::Unclear { detail: format!("{status} without an error code") }
        }
        _ => SendError::Refused { code, detail: detail.to_owned() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_that_pass_are_tried_again_and_the_others_are_not() {
        for (status, code, retried) in [
            (400, Some(131_056), true),
            (429, Some(130_429), true),
            (500, Some(131_000), true),
            (503, None, true),
            (500, Some(613), true),
            (502, None, false),
            (429, None, true),
            (401, Some(190), false),
            (401, None, false),
            (400, Some(131_047), false),
            (400, Some(131_026), false),
            (400, None, false),
            (403, Some(368), false),
        ] {
            let error = classify(status, code, "", None);
            assert_eq!(matches!(error, SendError::Retry { .. }), retried, "{status} {code:?}");
        }
    }

    #[test]
    fn a_refused_token_or_account_stops_the_line_and_a_refused_customer_does_not() {
        for (status, code, stopped) in [
            (401, Some(190), true),
            (403, Some(368), true),
            (403, Some(131_031), true),
            (400, Some(131_042), true),
            (401, None, true),
            (403, Some(200), true),
            (400, Some(131_026), false),
            (400, Some(131_047), false),
            (400, Some(100), false),
            (400, Some(131_030), false),
            (400, Some(131_049), false),
        ] {
            let error = classify(status, code, "", None);
            assert_eq!(
                matches!(error, SendError::LineRefused { .. }),
                stopped,
                "{status} {code:?}"
            );
        }
    }

    #[test]
    fn the_wait_that_the_platform_asks_for_is_kept() {
        let asked = Some(Duration::from_secs(77));
        let SendError::Retry { after, .. } = classify(429, Some(130_429), "", asked) else {
            panic!("should be tried again");
        };
        assert_eq!(after, asked);
    }
}
