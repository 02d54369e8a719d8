//! Complaints in plain words: no swearing, no ambiguity, just a customer who has had enough.

use super::group::{Group, Table};
use super::reading::Reading;
use super::words::Class;

/// Phrases of complaint.
pub const TABLES: &[Table] = &[
    Table {
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
            "feito|feita|fazendo|fazem ..1 de idiota|palhaco|palhaca|otario|otaria|trouxa|besta|\
             bobo|boba|tonto",
            "passou|passando|passaram de|do|dos <filler>? limite|limites",
            "me sinto|sentindo|senti|sinto ..2 enganad*|lesad*|humilhad*|desamparad*|\
             desrespeitad*|impotente|abandonad*|frustrad*|indignad*|roubad*|traid*|palhaco|\
             palhaca|otario|otaria",
            "voces|vcs|voce ..1 roub*|enganam|enganaram|mentem|mentiram|mentiros*|ladroes|\
             enrolam|debocham",
            "bando|cambada|corja|quadrilha de",
            "golpe|roubo puro|descarado|isso",
            "isso e|eh um? roubo|golpe|crime|estelionato|brincadeira|piada|ridiculo|palhacada",
            "estao|ta|tao|esta|vcs de brincadeira|palhacada|sacanagem|zoacao|tiracao",
            "ta|esta|estao brincando|zoando|tirando|curtindo|debochando com|da|de <filler>? \
             minha|cara|mim|gente|comigo",
            "so pode ser brincadeira|piada|palhacada|zoeira",
        ],
    },
    Table {
        group: Group::Complaint,
        rule: "complaint-feeling",
        phrases: &[
            "<me>|<intens>|bem|deixa|deixou|deixando|fica frustrad*|insatisfeit*|indignad*|\
             revoltad*|decepcionad*|irritad*|estressad*|chatead*|inconformad*|furios*|\
             desapontad*|desgostos*|enfurecid*|injuriad*|pistola|aborrecid*",
            "^ frustrad*|insatisfeit*|indignad*|revoltad*|decepcionad*|irritad*",
            "insatisf*|indignac*|frustrac*|revolta|repudio|decepcao com|total|imensa|enorme",
            "minha|grande|enorme|imensa|total|profunda|meu insatisf*|indignac*|frustrac*|\
             decepcao|revolta|repudio|descontentamento",
            "cansad*|cansei|cansou|farto|farta|enojado|exaust*|esgotad* dessa|disso|desse|com|\
             dessas|desses|tanto|por|essa|esse|isso",
            "cansei $",
            "ja cansei|chega",
            "chega dis*|des*|de enrol*|mentira|desculpa|robo|bot",
            "^ chega $",
            "<me> farto|farta|exausto|saturado",
            "nao|n aguento|suporto|tolero|aguenta|aguentamos mais|isso|esse|essa|tanta|tanto",
            "<not> aguento",
            "nao tenho mais paciencia",
            "perdi|perdendo|acabou|acabando|perder|esgotou <filler>? <filler>? paciencia",
            "paciencia <intens>? acabou|esgotou|zero|nenhuma|tem limite",
            "sem mais? paciencia|saco",
            "haja|zero paciencia",
            "<not> tenho ..1 paciencia|saco",
            "que|q raiva|odio|nervoso|estresse|stress|desespero|absurdo|descaso",
            "com|muita|morrendo|passando|passar|morta|morto de? raiva|odio",
            "raiva|odio de|desse|dessa|desses|dessas|disso|do|da <filler>? <bot>|<service>|\
             <you>|<it>",
            "me|mim|da|dando|deu raiva|nos nervos|odio",
            "me arrependo|arrependi|arrependid*",
            "<me> arrependid*",
            "arrependimento ..2 compr*|contrat*|contrat*",
            "maior|pior arrependimento|erro|escolha|compra|experiencia|atendimento|empresa|\
             carro|produto|servico|decisao|coisa",
            "nunca mais",
            "never again",
            "nunca mas compro|vuelvo",
            "nunca|jamais compro|comprem|compre|contrato|contratem|indico|indicaria|recomendo|\
             recomendaria",
            "me irrita|irritam|irritando|estressa|estressando|tira|tiram ..2 <bot>|<service>|\
             <it>|<you>|serio",
            "<bot>|<service>|<it>|<you> me irrita|irritam|estressa",
            "<not> da|deu|dou mais pra|para aguentar|continuar|suportar",
            "nota zero",
            "zero pra|para <you>",
            "<not> recomendo|indico|comprem|comprar|contratem|recomendaria|indicaria|percam|\
             caiam",
            "fujam|fuja|corram dessa|desse|da|do|de",
            "<not> recomendo",
            "pior|peor ..1 da|do|que|de <filler>? vida|mundo|brasil|existe|ja",
            "estoy|estamos|muy|tan|re harto|harta|hartos|cansado|cansada|enojado|enojada|\
             furioso|furiosa|molesto|molesta|decepcionado|decepcionada|frustrado|frustrada|\
             indignado|indignada",
            "me canse de",
            "ya me canse|harte",
            "no aguanto|soporto mas",
            "me tienes|tienen harto|harta|cansado",
            "am|im|so|really|very|very|me|getting angry|mad|frustrated|furious|annoyed|pissed|\
             disappointed|fed|upset|sick",
            "frustrat*",
            "fed up",
            "sick of",
            "tired of",
            "waste of my? time",
            "perda|perdendo|perdi|perder|perco de|meu? tempo com|aqui|$",
            "perdida de tiempo",
            "qualquer ..1 estresse",
            "que estresse|desgaste",
        ],
    },
    Table {
        group: Group::Complaint,
        rule: "complaint-unresolved",
        phrases: &[
            "ninguem|nadie|nobody <filler>? <filler>? resolve*|responde*|atende|atendem|atendeu|\
             atendia|ajuda*|faz|fala|sabe|soluciona*|entende*|retorna*|helps|answers|resuelve|\
             ayuda|respeita|liga|da|explica",
            "<you>|<bot>|<service>|isso <filler>? nao|n|nunca|no|not|num|dont <filler>? \
             resolve*|entende|entendem|entiende*|entiendes|ajuda|ajudam|ayudas|ayudan|\
             understand|sabe|sabem|respeita*|prestam|presta|faz|fazem|solucion* ..1 nada|nunca|\
             nem|direito|anything|porra|merda|bosta",
            "<you>|<bot> <filler>? <not> resolve|resolvem|ajuda|ajudam|ayudas|presta $",
            "<you>|<bot> nao|n|nunca|no|dont|num entende|entendem|ajuda|ajudam|sabe|entiende|\
             entiendes|understand ..2",
            "<not> ..1 responde*|respondes|resolve*|entende*|entendi*|ajuda*|faz|fazem|sabe|\
             sabem|soluciona*|respondem|contestas|entiendes|ayudas|sirve|explica* <filler>? \
             nada|direito|porra|anything",
            "continua*|continuo|ainda|sigo|segue|ate|seguem|permaneco|fiquei|fico ..3 sem \
             resolver|resolverem|solucao|resposta|respostas|retorno|resolucao|posicionamento|\
             solucionar",
            "<not> ..1 resolve* ..2 problema|situacao|caso|questao $",
            "sem nenhuma|qualquer|nenhum <filler>? solucao|resposta|retorno|respeito|explicacao|\
             satisfacao|posicionamento|consideracao|previsao|suporte|assistencia|ajuda",
            "ja te|lhe|vos|o|eu|ja? falei|mandei|disse|expliquei|pedi|enviei|perguntei|repeti|\
             respondi|informei|passei|falo|digo|digitei|escrevi|reclamei ..5 vezes|vez|x|veces",
            "ja falei|disse|expliquei|repeti|pedi|mandei ..2 mil|trocentas|milhoes|umas|varias|\
             diversas|quinhentas|um|500|1000|100",
            "te lo|la? dije|explique|repeti|mande|pedi ..2 veces|mil",
            "ya te lo? dije|explique|repeti|mande|pedi",
            "quantas|cuantas vezes|veces ..3 preciso|tenho|vou|precisa|tengo|repetir|falar|\
             explicar|mandar|pedir|dizer",
            "mil|trocentas|milhoes|inumeras|milesima|centesima vezes|veces|vez <filler>? <not>|\
             e|sem",
            "ja|e|pela ..2 terceira|quarta|quinta|sexta|decima vez <filler>? que|q|e",
            "<not> sei mais o? que|q fazer",
            "<not> sei mais a quem",
            "nenhum|nenhuma satisfacao|resposta|explicacao|solucao|consideracao|retorno|respeito",
            "<not> ..1 dao|deram|da|derem satisfacao|bola|importancia|minima",
            "quero|preciso ..1 solucao|resposta <filler>? urgente|imediata|imediato|agora|ja",
            "perder el|mi tiempo",
            "deixa|deixe|deixem em paz",
            "pela|por terceira|milesima|enesima|decima|quinta|quarta|trocentesima|centesima vez",
            "decima|enesima|milesima vez|vez",
            "ligo|tento|mando|falo|reclamo|espero , e? ligo|tento|mando|falo|reclamo|espero e|,",
            "so enrola*|enrolacao",
            "me|ficam|fica|estao|tao|esta|so enrol*",
            "empurra|empurrando|jogando|joga|jogam um|pro|pra|para|de ..3 outro",
            "jogo|jogando de empurra",
            "ate quando",
            "hasta cuando",
            "otra vez lo mismo",
            "sempre|toda a|vez mesma coisa|historia|resposta|desculpa|ladainha $",
            "de novo essa|isso <trash>|<filler>|resposta|mensagem|coisa $",
            "descumpr* ..3 prazo|promessa|combinado|acordo",
            "ignorando|ignoram|ignoraram|ignorado|ignorada <filler>? <filler>? cliente|\
             consumidor|mim|mensagens|minhas|meus|completamente|eu|$",
            "<not> se importam|importa com|comigo|$",
            "sendo|fui|sou <intens>? enrolad*|ignorad*|enganad*|desrespeitad*|maltratad*|\
             humilhad*|destratad*",
            "vou|irei|reclam*|acion*|denunci*|abri*|registr*|ja|queixa ..3 procon|reclameaqui",
            "reclame aqui",
            "vou|irei processar|acionar|entrar|abrir <filler>? voces|vcs|justica|judicialmente|\
             processo",
            "vou|irei <filler>? <filler>? processar|denunciar|justica",
            "meus direitos $",
            "exijo|exigimos|exigo",
            "i demand",
            "quero|devolve*|devuelvan|devuelve|want <filler>? meu|meus|minha|mi|my dinheiro|\
             grana|plata|dinero|money de|back|$",
            "quero so|apenas que resolv*|funcion*|respond*",
            "que|q|pqp|quanta demora*|enrolacao|incompetencia|burocracia",
            "demora <intens>? absurda|inaceitavel|infinita|eterna|dessa|demais",
            "absurdo|absurda|tanta|essa|nessa|dessa demora",
            "demorando|demora|demoram|demorou|demorado|demorada <filler>? demais|pra|eternidade|\
             seculos|anos",
            "horas|dias|meses|semanas|seculos esperando|aguardando ..3 ninguem|nada|sem|e",
            "cansad*|cansei|cansou|farto|farta|harto|harta de esperar|tentar|ligar|falar|ser|\
             reclamar|pedir|mandar|ouvir|explicar|repetir|escrever|voces|vcs|voce|vc|tanto|\
             tanta|robo|bot|insistir|procurar|correr|hablar",
            "<not> <copula>|tem <filler>? possivel $",
            "isso|esta|this <not>? <copula>? nao|no|not ajud*|ayud*|help*",
            "nao|no ajudou|ajuda|ayuda|ayudo|adianta|adiantou|resolve|sirvio em|nada|de|para \
             nada|$",
            "makes|make no sense",
            "<not> entiendes|entende nada",
            "que parte ..3 <not> entend*",
            "so|fica|ficam|parar|para|pare|parem <filler>? repete|repetir|repetindo|repetem ..2 \
             coisa|mensagem|resposta|pergunta",
            "ta|esta|e|eh|sao surdo|surda|surdos $",
            "nunca|never me|nos? responde*|atende*|ayuda*|entende*|entiende*|retorna*|\
             understand*|answer*|help*",
            "<you> <copula> surd*|cego|cega|sordo|deaf|analfabet*",
            "<you> <not> leu|le|ouve|escuta|lee|lees|read ..3",
        ],
    },
    Table {
        group: Group::Pressure,
        rule: "pressure",
        phrases: &[
            // demands and reproaches that are calm in small letters and anger in capitals
            "agora|ja|logo|rapido|now|ya|ahora|again $",
            "imediatamente|imediato|imediata|urgente|urgencia|urgentemente|inmediatamente|\
             immediately|asap",
            "exijo|exigimos|exigo",
            "quero que ..2 resolv*|respond*|devolv*|pare*|faca*|mand*",
            "quero|preciso ..2 resposta|solucao|explicacao",
            "nao|n|nunca|ninguem|nada|not|no|dont ..2 funcion*|resolv*|respond*|entend*|atend*|\
             receb*|cheg*|consig*|aceit*|aguent*|ajud*|aparec*|carreg*|abre|entra|consta|\
             adianta|work*|help*|sirve*|llego|llega",
            "nunca|ninguem|nadie|nobody|never",
            "<you> ..2 nao|n|no|nunca|not|dont",
            "resolvam|resolva|resolve|resolver|resolvem|solucion*|respondam|responde|respondem|\
             responda|respondan|atendam|atende|atendem",
            "quero|exijo|cade|meu ..1 estorno|reembolso|refund",
            "devolvam|devolva|devolve|devuelvan|estornem|estorne|reembolsem|respeit*|processar|\
             denuncia*|justica|advogado|procon",
            "absurd*|ruim|pessim*|horrive*|descaso|cansei|cansad*|demor*|esperando|palhacada|\
             vergonha|mentir*|enganad*|roub*|ladr*|golpe|piada|inutil*|burr*|idiot*|errad*|\
             piorou|pior|sumiu|sumiram",
            "de novo",
            "outra|otra vez",
            "de volta",
            "ate|hasta quando|agora|hoje|cuando",
            "por|pq|porque que? continua*|nao|n|no|ninguem|voces|vcs|voce|ainda",
            "cade|kd",
            "quem vai",
            "faz|fazem|ha ..2 dias|horas|meses|semanas|anos",
            "mais|ja ..2 vezes|vez",
            "ja ..1 falei|disse|expliquei|pedi|avisei|reclamei|mandei|repeti|informei",
            "<not> aguento|quero mais",
            "chega|basta de",
            "chega|basta $",
            "para|parem|pare de|com <det>? me|mandar|enrolar|cobrar|palhacada|ligar|encher",
            "why ..3 not|never|again",
            "wrong|broken|worst|terrible|unacceptable",
            "quiero mi dinero|plata",
        ],
    },
];

/// The rule by which the message complains.
pub fn detect(reading: &Reading) -> Option<&'static str> {
    let laughs = reading.text.words().any(|w| w == "kkk");
    reading
        .hits(Group::Complaint)
        .find(|hit| {
            let other = hit.rule == "complaint-outrage"
                && reading
                    .before(hit.start, 6)
                    .any(|i| reading.is(i, Class::Calm) && !reading.is(i, Class::Service));
            !other && !(hit.start..hit.end).any(|i| reading.harmless(i)) && !laughs
        })
        .map(|hit| hit.rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> Option<&'static str> {
        detect(&Reading::of(text))
    }

    #[test]
    fn outrage_weariness_and_unanswered_requests_are_complaints() {
        for text in [
            "isso é um absurdo sem tamanho",
            "quanta falta de consideração",
            "tô indignada com vocês",
            "cansei de esperar",
            "não aguento mais isso",
            "ninguém resolve meu caso",
            "já expliquei umas dez vezes",
            "vocês não entendem nada",
            "nunca mais compro aqui",
            "vou reclamar no Procon",
            "perdi a paciência",
            "estoy harta de esperar",
            "i am so frustrated",
        ] {
            assert!(rule(text).is_some(), "{text}");
        }
    }

    #[test]
    fn neutral_reports_pass() {
        for text in [
            "aguardo uma resposta",
            "paguei duas vezes sem querer",
            "não recebi o código ainda",
            "tô cansado, amanhã eu vejo",
            "quantas vezes posso parcelar?",
            "o respeito ao prazo é importante",
            "deu um problema no boleto",
            "não entendi a última parte",
        ] {
            assert_eq!(rule(text), None, "{text}");
        }
    }
}
