use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn slots_are_told_on_the_clinics_clock_with_price_and_in_words() {
    let server = agenda(&[]);
    let asked = json!({ "medico": "dra joana", "procedimento": "dermatologista" });
    let answer = call(&server, CONSULT, &asked).await.unwrap();
    let slot = json!({
        "horario_id": "s1",
        "medico": "Dra. Joana Prado",
        "inicio": "2026-12-01T14:30:00-03:00",
        "quando": "amanhã, terça-feira, 1º de dezembro, às 14h30",
        "procedimento": "Consulta dermatológica",
        "preco": "R$ 350,00",
    });
    assert_eq!(answer["situacao"], "horarios");
    assert_eq!(answer["horarios"], json!([slot]));
    let asked = server.requests("GET /slots").pop().unwrap();
    for part in ["doctor_id=d1", "procedure_id=p1", "from=2026-11-30T15%3A00%3A00-03%3A00"] {
        assert!(asked.query.contains(part), "{part}: {}", asked.query);
    }
    assert_eq!(asked.authorization, "Bearer segredo");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_of_the_failures_of_consulting_has_its_condition() {
    let ok = Answer::ok;
    let joana = json!({ "medico": "Joana" });
    let name = |name: &str| name.to_owned();
    for (but, asked, expected) in [
        (
            vec![],
            json!({ "medico": "Dr. Otávio" }),
            ToolFailure::DoctorWithoutScheduling { doctor: name("Dr. Otávio Brandão") },
        ),
        (
            vec![("GET /slots", refusal(422, "doctor_without_scheduling"))],
            joana.clone(),
            ToolFailure::DoctorWithoutScheduling { doctor: name("Joana") },
        ),
        (
            vec![],
            json!({ "medico": "Dr. House" }),
            ToolFailure::DoctorNotFound { doctor: name("Dr. House") },
        ),
        (
            vec![],
            json!({ "convenio": "Golden Cross" }),
            ToolFailure::InsuranceNotFound { insurance: name("Golden Cross") },
        ),
        (
            vec![("GET /slots", refusal(422, "insurance_not_accepted"))],
            json!({ "medico": "Joana", "convenio": "unimed" }),
            ToolFailure::InsuranceNotFound { insurance: name("unimed") },
        ),
        (
            vec![],
            json!({ "procedimento": "Ressonância" }),
            ToolFailure::ProcedureNotFound { procedure: name("Ressonância") },
        ),
        (vec![("GET /slots", ok(NO_SLOT))], joana.clone(), ToolFailure::AgendaEmpty),
        (vec![("GET /slots", ok(NO_SLOT))], json!({}), ToolFailure::NoDoctorAvailable),
        (
            vec![("GET /slots", Answer::Status(503, "<html>".to_owned()))],
            joana.clone(),
            ToolFailure::ScheduleUnreachable,
        ),
        (vec![("GET /slots", Answer::Silence)], joana.clone(), ToolFailure::ScheduleUnreachable),
        (vec![("GET /doctors", Answer::HangUp)], joana.clone(), ToolFailure::ScheduleUnreachable),
        (
            vec![("GET /slots", ok(r#"{"slots":[],"failed_doctors":["d1"]}"#))],
            joana.clone(),
            ToolFailure::ScheduleUnreachable,
        ),
        (
            vec![("GET /slots", ok(ONE_SLOT))],
            json!({ "medico": "Paulo" }),
            ToolFailure::AgendaMismatch,
        ),
        (
            vec![("GET /slots", ok(&ONE_SLOT.replace("d1", "d9")))],
            json!({}),
            ToolFailure::AgendaMismatch,
        ),
        (
            vec![("GET /slots", refusal(422, "internal"))],
            joana.clone(),
            ToolFailure::internal("internal"),
        ),
        (
            vec![("GET /slots", Answer::Status(401, String::new()))],
            joana.clone(),
            ToolFailure::internal("unauthorized"),
        ),
        (vec![("GET /slots", ok(""))], joana.clone(), ToolFailure::EmptyAnswer),
        (vec![("GET /slots", ok("{}"))], joana.clone(), ToolFailure::EmptyAnswer),
        (
            vec![("GET /doctors", Answer::Status(204, String::new()))],
            joana.clone(),
            ToolFailure::EmptyAnswer,
        ),
    ] {
        assert_eq!(failure(&but, CONSULT, asked.clone()).await, expected, "{but:?} {asked}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_of_the_contract_is_no_controlled_failure() {
    let large = format!(r#"{{"slots":[],"x":"{}"}}"#, "a".repeat(1 << 20));
    for (answer, part) in [
        (Answer::ok("<html>segredo do paciente</html>"), "status 200 without JSON"),
        (Answer::Status(404, "<html>segredo</html>".to_owned()), "status 404 without JSON"),
        (Answer::ok(r#"{"data":[{"segredo":1}]}"#), "JSON of another shape"),
        (Answer::ok(r#"{"slots":[{"segredo":1}]}"#), "JSON of another shape"),
        (Answer::Status(302, String::new()), "status 302"),
        (Answer::Status(418, "{}".to_owned()), "status 418"),
        (Answer::Status(404, r#"{"detail":"segredo"}"#.to_owned()), "404 without a code"),
        (Answer::ok(&large), "over 1 MiB"),
    ] {
        let server = agenda(&[("GET /slots", answer)]);
        match call(&server, CONSULT, &json!({ "medico": "Joana" })).await {
            Err(ToolError::Uncontrolled(detail)) => {
                assert!(detail.contains(part) && !detail.contains("segredo"), "{detail}");
            }
            other => panic!("{part}: {other:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_there_is_is_told() {
    let some = r#"{"slots":[
        {"id":"s1","doctor_id":"d1","start":"2026-12-01T14:30:00-03:00"},
        {"id":"s2","doctor_id":"d2","start":"2026-12-01T09:00:00-03:00"},
        {"id":"s2","doctor_id":"d2","start":"2026-12-01T09:00:00-03:00"},
        {"id":"s3","doctor_id":"d3","start":"2026-12-01T09:00:00-03:00"},
        {"id":"s4","doctor_id":"d1","start":"2026-11-30T09:00:00-03:00"},
        {"id":"s5","doctor_id":"d1","start":"logo"}],
        "failed_doctors":["d4"]}"#;
    let answer = call(&agenda(&[("GET /slots", Answer::ok(some))]), CONSULT, &json!({})).await;
    let answer = answer.unwrap();
    let ids: Vec<&Value> =
        answer["horarios"].as_array().unwrap().iter().map(|slot| &slot["horario_id"]).collect();
    assert_eq!(ids, ["s2", "s1"]);
    assert!(answer["observacao"].as_str().unwrap().contains("Dra. Ana Lima"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_day_is_followed_by_the_next_free_ones() {
    let server = agenda(&[(
        "GET /slots",
        Answer::First(
            Box::new(Answer::ok(NO_SLOT)),
            Box::new(Answer::ok(&ONE_SLOT.replace("12-01T", "12-03T"))),
        ),
    )]);
    let asked = json!({ "medico": "Joana", "de": "2026-12-01", "ate": "2026-12-01",
        "periodo": "manhã", "hora": "09:00" });
    let answer = call(&server, CONSULT, &asked).await.unwrap();
    assert_eq!(answer["horarios"][0]["quando"], "quinta-feira, 3 de dezembro, às 14h30");
    let note = answer["observacao"].as_str().unwrap();
    for part in ["dias pedidos", "período", "hora pedida"] {
        assert!(note.contains(part), "{note}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_times_that_were_left_out_nothing_is_claimed() {
    let slot = |number: u32| {
        let (hour, minute) = (8 + number % 3, number % 60);
        let start = format!("2026-12-01T{hour:02}:{minute:02}:00-03:00");
        json!({ "id": format!("s{number}"), "doctor_id": "d1", "start": start })
    };
    let many = json!({ "slots": (0..500).map(slot).collect::<Vec<_>>() }).to_string();
    let server = agenda(&[("GET /slots", Answer::ok(&many))]);
    let answer = call(&server, CONSULT, &json!({ "periodo": "noite" })).await.unwrap();
    let note = answer["observacao"].as_str().unwrap();
    assert!(note.starts_with("Entre os primeiros horários livres não há"), "{note}");
    assert_eq!(
        (answer["horarios"].as_array().unwrap().len(), &answer["ha_mais"]),
        (6, &json!(true))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_pays_without_an_insurance_is_offered_times_all_the_same() {
    let server = agenda(&[]);
    for insurance in ["particular", "", "não tenho convênio"] {
        let asked = json!({ "medico": "cardiologista", "convenio": insurance });
        let failed = call(&server, CONSULT, &asked).await;
        // The only slot is another doctor's; the insurance is not what is wrong.
        assert_eq!(failed, Err(ToolError::Failed(ToolFailure::AgendaMismatch)));
    }
}
