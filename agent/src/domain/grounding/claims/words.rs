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

/// What a participle says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    /// "marcado", "cancelado": the deed itself.
    Done(Claim),
    /// "incluído", "bloqueado": of a thousand things that nobody asked for; only of the customer's
    /// own thing or of the customer a deed.
    Weak(Claim),
    /// "feito", "realizado": said of an act ("agendamento", "cadastro").
    Only,
    /// "alterado", "adiado": said of what is booked.
    Change,
    /// "criado", "aprovado".
    Made,
}

/// What a participle says was done.
pub(super) fn participle(word: &str) -> Option<Deed> {
    let word = word.strip_suffix('s').unwrap_or(word);
    let stem = word.strip_suffix(['o', 'a'])?;
    // "marcadinho", "confirmadissimo"
    let stem = stem.strip_suffix("inh").or_else(|| stem.strip_suffix("issim")).unwrap_or(stem);
    Some(match stem {
        "confirmad" | "marcad" | "agendad" | "reservad" | "garantid" | "remarcad" | "reagendad"
        | "encaixad" | "reprogramad" | "combinad" | "assegurad" => Deed::Done(Claim::Booked),
        "bloquead" | "separad" | "programad" => Deed::Weak(Claim::Booked),
        "cancelad" | "desmarcad" | "estornad" => Deed::Done(Claim::Cancelled),
        "cadastrad" | "registrad" | "inscrit" | "matriculad" | "lancad" => {
            Deed::Done(Claim::Registered)
        }
        "atualizad" | "incluid" | "adicionad" | "salv" => Deed::Weak(Claim::Registered),
        "transferid" | "encaminhad" | "acionad" | "direcionad" | "chamad" | "repassad"
        | "avisad" | "notificad" => Deed::Done(Claim::Transferred),
        "apagad" | "excluid" | "deletad" | "eliminad" => Deed::Done(Claim::Erased),
        "feit" | "efetuad" | "realizad" | "concluid" | "finalizad" | "efetivad" | "processad"
        | "hech" | "formalizad" => Deed::Only,
        "alterad" | "mudad" | "trocad" | "adiad" | "antecipad" => Deed::Change,
        "criad" | "ativad" | "aprovad" => Deed::Made,
        _ => return None,
    })
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
        | "confirmacao" | "chale" | "encontro" | "check" | "checkin" | "hora" | "encaixe"
        | "evento" | "massagem" | "cirurgia" | "coleta" | "festa" => Claim::Booked,
        "cancelamento" | "cancelacion" | "cancellation" | "estorno" => Claim::Cancelled,
        "cadastro" | "registro" | "inscricao" | "matricula" | "pagamento" | "lancamento"
        | "ficha" | "solicitacao" | "despesa" | "gasto" | "pix" | "alteracao" | "atualizacao" => {
            Claim::Registered
        }
        "lembrete" | "alerta" | "chamado" | "ticket" | "protocolo" | "perfil" => Claim::Registered,
        "exclusao" | "dado" | "memoria" | "informacoe" | "historico" => Claim::Erased,
        _ => return None,
    })
}

/// Whether a noun names what is booked for a time.
pub(super) fn is_booking(word: &str) -> bool {
    noun(word) == Some(Claim::Booked)
        && !matches!(word, "diaria" | "diarias" | "pedido" | "pedidos" | "check" | "checkin")
}

/// Nouns that mean the customer's own also without "sua": "a reserva", "o cadastro".
pub(super) fn is_core(word: &str) -> bool {
    let word = word.strip_suffix('s').unwrap_or(word);
    is_act(word)
        || matches!(
            word,
            "consulta"
                | "mesa"
                | "horario"
                | "visita"
                | "sessao"
                | "vaga"
                | "retorno"
                | "cita"
                | "turno"
                | "appointment"
                | "table"
                | "room"
                | "encaixe"
                | "reuniao"
                | "quarto"
                | "suite"
                | "chale"
                | "presenca"
                | "estadia"
                | "hospedagem"
                | "compromisso"
                | "dado"
                | "ficha"
                | "perfil"
                | "despesa"
                | "gasto"
                | "lembrete"
                | "pix"
                | "avaliacao"
                | "exame"
                | "passeio"
                | "alerta"
                | "jantar"
                | "pedido"
        )
}

/// Nouns of acts: what was "feito" is done.
pub(super) fn is_act(word: &str) -> bool {
    let word = word.strip_suffix('s').unwrap_or(word);
    matches!(
        word,
        "reserva"
            | "agendamento"
            | "marcacao"
            | "remarcacao"
            | "reagendamento"
            | "confirmacao"
            | "booking"
            | "reservation"
            | "cadastro"
            | "registro"
            | "inscricao"
            | "matricula"
            | "pagamento"
            | "lancamento"
            | "solicitacao"
            | "alteracao"
            | "atualizacao"
            | "cancelamento"
            | "cancelacion"
            | "cancellation"
            | "estorno"
            | "exclusao"
            | "encaixe"
            | "pix"
            | "pedido"
            | "habitacion"
            | "chamado"
    )
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
