//! Indignation: what was done is called absurd, shameless, a lack of respect.
//!
//! Written at companies far more than at anything else, so the noun or adjective is enough; what it is
//! said of (a film, the heat) is looked at by the rule itself.

use super::super::group::{Group, Table};

/// Its phrases.
pub const TABLE: Table = Table {
    group: Group::Complaint,
    rule: "complaint-outrage",
    phrases: &[
        "e|eh|que|um|uma|total|maior|puro|tremendo|verdadeiro|grande|simplesmente|completo|\
         quanto <intens>? absurdo|descaso|desrespeito|palhacada|vergonha|decepcao|afronta|\
         vexame|desconsideracao|desumanidade|negligencia|sacanagem",
        "absurdo|absurda isso|essa|esse|o|a|que|demais|total",
        "isso|essa|esse absurdo|absurda",
        "descaso|desrespeito|descasos com|total|de|da|do|absurdo|ao|para",
        "^ descaso|desrespeito|palhacada|absurdo|revoltante|inadmissivel|inaceitavel",
        "falta|falto|faltou de|com|absoluta|total <intens>? respeito|consideracao|vergonha|\
         compromisso|comprometimento|profissionalismo|educacao|carater|responsabilidade|\
         transparencia|empatia|etica|palavra",
        "falta de respeito|consideracao",
        "inadmissive*|inaceitave*|revoltante|revoltantes|vergonhos*|intoleravel|\
         inconcebivel|lastimavel|deploravel|lamentavel|abusiv*|constrangedor*",
        "pessim*",
        "vergonha|verguenza de|total ..1 <bot>|<service>",
        "onde esta|fica o respeito",
        "cade o|a? respeito|compromisso|responsabilidade|competencia|profissionalismo|\
         educacao",
        "propaganda enganosa",
        "o|tanto|tamanho descaso|desrespeito $",
        "inacreditavel o|a|que|como|esse|essa|tanto",
        "que empresa|atendimento|servico|banco|loja|palhacada|app|bot e|eh essa|esse|isso",
        "virou|tornou ..2 novela|saga|calvario|bagunca|humilhacao|tortura",
        "perdi|perdemos|acabou ..2 confianca",
        "sinto me ..1 enganad*|lesad*|humilhad*|desamparad*|desrespeitad*|palhaco|palhaca|\
         idiota|traid*",
        "pouco caso",
        "ma fe",
        "isso|eso|esto|this e|es|is ridicul*|absurd*|inaceptable|unacceptable",
        "virou|tornou|e|foi|vivendo|viver um verdadeiro? pesadelo|inferno|transtorno",
        "dor de cabeca atras|sem fim",
        "enganad*|lesad*|humilhad*|ludibriad*|maltratad*|destratad*|desrespeitad*|enrolad* \
         pela|por|pelo|pelos",
        "feito|feita|fazendo|fazem|fizeram|faz|fez|fazer ..1 de idiota|palhaco|palhaca|otario|otaria|trouxa|besta|\
         bobo|boba|tonto",
        "passou|passando|passaram de|do|dos <filler>? limite|limites",
        "me sinto|sentindo|senti|sinto ..2 enganad*|lesad*|humilhad*|desamparad*|\
         desrespeitad*|impotente|abandonad*|frustrad*|indignad*|roubad*|traid*|palhaco|\
         palhaca|otario|otaria",
        "voces|vcs|voce ..1 roub*|enganam|enganaram|mentem|mentiram|mentiros*|ladroes|\
         enrolam|debocham",
        "bando|cambada|corja|quadrilha de",
        "<you> so sabem|sabe|saben cobrar|enrolar|mentir|prometer|pedir|reclamar|tirar",
        "<you> acabaram|acabou|estragaram|estragou|arruinaram|destruiram|arruinaron ..2 meu|minha|\
         nosso|nossa|mi|my",
        "tomando|tomen|toman|tomar el pelo",
        "me|nos siento|sinto|sentimos ..2 estafad*|burlad*|humillad*|enganad*|roubad*|\
         robad*|maltratad*|ignorad*",
        "kidding|joking me|right",
        "are|r you|u kidding|joking|serious $",
        "wast*|wasted my|our|everyones time|day|money",
        "<you> <copula>? wasting ..1 time",
        "tratad* assim|asi|igual|como|feito desse? ..1",
        "ser|sou|fui tratad* assim|como|igual|feito",
        "falta ..1 de|d respeto|profesionalismo|consideracion|seriedad|verguenza|educacion",
        "e|eh|quanta|tanta|muita <intens>? burrice|incompetencia|enrolacao|ignorancia|sacanagem|cara",
        "<not> da|podemos|posso mais? pra|para? confiar",
        "golpe|roubo puro|descarado|isso",
        "isso e|eh um? roubo|golpe|crime|estelionato|brincadeira|piada|ridiculo|palhacada",
        "estao|ta|tao|esta|vcs de brincadeira|palhacada|sacanagem|zoacao|tiracao",
        "ta|esta|estao brincando|zoando|tirando|curtindo|debochando com|da|de <filler>? \
         minha|cara|mim|gente|comigo",
        "so pode ser brincadeira|piada|palhacada|zoeira",
    ],
};
