//! Verbs and nouns of what a bot can have done, folded, by what was done.

use super::Claim;

/// "marquei", "cancelei": the first person of the past, which nothing else is.
pub(super) fn first_person(word: &str) -> Option<Claim> {
    Some(match word {
        "marquei" | "agendei" | "reservei" | "confirmei" | "remarquei" | "reagendei"
        | "encaixei" | "garanti" | "separei" | "bloqueei" | "reprogramei" | "antecipei"
        | "adiei" | "prereservei" => Claim::Booked,
        "cancelei" | "desmarquei" | "estornei" => Claim::Cancelled,
        "cadastrei" | "registrei" | "inscrevi" | "matriculei" | "lancei" | "adicionei"
        | "atualizei" | "criei" | "ativei" | "salvei" => Claim::Registered,
        "transferi" | "encaminhei" | "acionei" | "direcionei" | "repassei" => Claim::Transferred,
        "apaguei" | "deletei" | "removi" => Claim::Erased,
        _ => return None,
    })
}

/// "marcamos", "agendamos": past or present; a mark of completion decides.
pub(super) fn first_person_plural(word: &str) -> Option<Claim> {
    Some(match word {
        "marcamos" | "agendamos" | "reservamos" | "confirmamos" | "remarcamos" | "reagendamos"
        | "garantimos" | "encaixamos" | "separamos" => Claim::Booked,
        "cancelamos" | "desmarcamos" => Claim::Cancelled,
        "cadastramos" | "registramos" => Claim::Registered,
        "transferimos" | "encaminhamos" | "acionamos" => Claim::Transferred,
        "apagamos" | "excluimos" => Claim::Erased,
        _ => return None,
    })
}

/// Infinitives after "consegui" and "acabei de".
pub(super) fn infinitive(word: &str) -> Option<Claim> {
    Some(match word {
        "marcar" | "agendar" | "reservar" | "confirmar" | "remarcar" | "reagendar" | "encaixar"
        | "garantir" | "separar" => Claim::Booked,
        "cancelar" | "desmarcar" => Claim::Cancelled,
        "cadastrar" | "registrar" | "inscrever" => Claim::Registered,
        "transferir" | "encaminhar" | "acionar" => Claim::Transferred,
        "apagar" | "excluir" => Claim::Erased,
        _ => return None,
    })
}

/// What a participle says was done; [`None`] inside where only its noun tells.
pub(super) fn participle(word: &str) -> Option<Option<Claim>> {
    let word = word.strip_suffix('s').unwrap_or(word);
    let stem = word.strip_suffix(['o', 'a'])?;
    // "marcadinho", "confirmadissimo"
    let stem = stem.strip_suffix("inh").or_else(|| stem.strip_suffix("issim")).unwrap_or(stem);
    Some(Some(match stem {
        "confirmad" | "marcad" | "agendad" | "reservad" | "garantid" | "remarcad" | "reagendad"
        | "encaixad" | "programad" | "reprogramad" | "bloquead" | "separad" | "combinad" => {
            Claim::Booked
        }
        "cancelad" | "desmarcad" | "estornad" => Claim::Cancelled,
        "cadastrad" | "registrad" | "inscrit" | "matriculad" | "atualizad" | "incluid"
        | "adicionad" | "salv" => Claim::Registered,
        "transferid" | "encaminhad" | "acionad" | "direcionad" => Claim::Transferred,
        "apagad" | "excluid" | "deletad" | "eliminad" => Claim::Erased,
        "feit" | "efetuad" | "realizad" | "concluid" | "finalizad" | "efetivad" | "processad"
        | "hech" | "criad" | "ativad" | "alterad" | "mudad" | "trocad" | "adiad" | "antecipad"
        | "formalizad" | "aprovad" => return Some(None),
        _ => return None,
    }))
}

/// The same in English.
pub(super) fn english(word: &str) -> Option<Claim> {
    Some(match word {
        "booked" | "reserved" | "scheduled" | "confirmed" | "rescheduled" | "rebooked" => {
            Claim::Booked
        }
        "cancelled" | "canceled" => Claim::Cancelled,
        "registered" | "enrolled" => Claim::Registered,
        "transferred" | "forwarded" => Claim::Transferred,
        "deleted" | "erased" => Claim::Erased,
        _ => return None,
    })
}

/// Spanish first persons, with the accent that tells them from commands.
pub(super) fn spanish(word: &str) -> Option<Claim> {
    Some(match word {
        "reservé" | "agendé" | "confirmé" | "programé" | "reprogramé" | "reagendé" | "aparté" => {
            Claim::Booked
        }
        "cancelé" | "anulé" => Claim::Cancelled,
        "registré" | "inscribí" => Claim::Registered,
        "transferí" | "derivé" => Claim::Transferred,
        "borré" | "eliminé" => Claim::Erased,
        _ => return None,
    })
}

/// What is booked, cancelled and registered, and what doing it means.
pub(super) fn noun(word: &str) -> Option<Claim> {
    let word = word.strip_suffix('s').unwrap_or(word);
    Some(match word {
        "consulta" | "reserva" | "mesa" | "horario" | "agendamento" | "quarto" | "exame"
        | "pedido" | "visita" | "sessao" | "aula" | "vaga" | "compromisso" | "presenca"
        | "suite" | "diaria" | "passeio" | "jantar" | "almoco" | "estadia" | "hospedagem"
        | "atendimento" | "retorno" | "avaliacao" | "cita" | "turno" | "appointment"
        | "booking" | "reservation" | "table" | "room" | "marcacao" | "remarcacao"
        | "reagendamento" | "procedimento" | "limpeza" | "vacina" | "reuniao" | "habitacion"
        | "confirmacao" | "chale" | "hora" | "encaixe" | "evento" | "massagem" | "cirurgia"
        | "coleta" | "festa" => Claim::Booked,
        "cancelamento" | "cancelacion" | "cancellation" | "estorno" => Claim::Cancelled,
        "cadastro" | "registro" | "inscricao" | "matricula" | "pagamento" | "lancamento"
        | "ficha" | "solicitacao" | "despesa" | "gasto" | "pix" | "alteracao" | "atualizacao" => {
            Claim::Registered
        }
        "lembrete" | "alerta" | "chamado" | "ticket" | "protocolo" | "perfil" => Claim::Registered,
        "transferencia" | "encaminhamento" => Claim::Transferred,
        "exclusao" | "dado" | "memoria" | "informacoe" | "historico" => Claim::Erased,
        _ => return None,
    })
}

/// What opens a sentence before the thing itself: "prontinho", "tudo certo".
pub(super) fn is_opening(word: &str) -> bool {
    matches!(
        word,
        "pronto"
            | "prontinho"
            | "prontinha"
            | "ok"
            | "okay"
            | "certo"
            | "certinho"
            | "perfeito"
            | "otimo"
            | "oba"
            | "ja"
            | "entao"
            | "agora"
            | "beleza"
            | "blz"
            | "maravilha"
            | "sucesso"
            | "uhul"
            | "show"
            | "combinado"
            | "tudo"
            | "deu"
            | "legal"
            | "claro"
            | "sim"
            | "e"
            | "sua"
            | "seu"
            | "suas"
            | "seus"
            | "a"
            | "o"
            | "su"
            | "tu"
            | "your"
            | "listo"
            | "perfecto"
            | "great"
            | "done"
            | "perfect"
            | "boa"
            | "excelente"
            | "obrigado"
            | "obrigada"
            | "aqui"
            | "ta"
            | "status"
            | "da"
            | "do"
            | "the"
            | "nova"
            | "novo"
            | "all"
            | "la"
            | "el"
    )
}
