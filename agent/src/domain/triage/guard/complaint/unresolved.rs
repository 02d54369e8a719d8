//! Nobody answers, nothing is solved, and it has been said before.
//!
//! A neutral report names the fault ("não recebi"); these name the one who leaves it unsolved, or count
//! the attempts.

use super::super::group::{Group, Table};

/// Its phrases.
pub const TABLE: Table = Table {
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
        "pelo|por amor de deus|dios ..2 resolv*|respond*|atend*|solucion*|contest*",
        "falando|falar|conversando|hablando|hablar|talking com|con|to uma|um|un|una|a|la|o porta|\
         parede|pared|wall|brick|muro|poste|paredes",
        "ive|i have? asked|told|explained|said|sent|written|tried|repeated ..5 times already|now",
        "esperando|aguardando|waiting|espero|aguardo ..4 e|y|and nada|ninguem|nadie|nobody|nothing|no",
        "<you> <filler>? nao|n|no|nunca respondem|atendem|resolvem|retornam|responden|contestan|\
         resuelven ninguem|nada|nunca|nadie|$",
        "ja|ya <filler>? expliquei|falei|disse|repeti|dije|explique tudo|isso|todo|eso",
        "perdi a conta",
        "perdi la cuenta",
        "devolve|devolvam|devolva|devuelvan|devuelvanme|devuelve|devuelveme ..1 meu|mi|minha|nosso \
         dinheiro|plata|grana|dinero",
        "siempre lo mismo con|otra|$",
        "no puede ser que|posible",
        "nao e possivel que|uma|isso",
        "why do|are you keep|always|still|never|not",
        "how hard can|is ..6",
        "how many times ..2 do|must|have|i|should ..2 ask|tell|explain|repeat|say|send|have|need",
        "i already told|said|explained|answered|sent ..2 you|this|that|it",
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
};
