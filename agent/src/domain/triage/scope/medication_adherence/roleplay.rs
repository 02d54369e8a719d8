//! Being somebody else, and laying the instructions aside.

use super::{Group, Table};
use crate::domain::triage::scope::Category;

/// Frames of role play and of prompt injection.
pub const TABLES: &[Table] = &[
    Table {
        group: Group::Reject(Category::Roleplay),
        rule: "roleplay-instructions",
        phrases: &[
            "ignore|ignora|ignorar|ignores|ignorem|desconsidere|desconsidera|desconsiderar|esqueca|\
             esquece|esquecer|disregard|forget|olvida|olvide|olvidate|bypass|burle|burlar|override|\
             descarte|abandone|desobedeca|quebre|contorne|omite|desrespeite|desative|desactiva|\
             disable ..6 instruc*|instruction*|regra|regras|regla|reglas|rule|rules|prompt|prompts|\
             anterior|anteriores|previas|previous|prior|acima|orientac*|diretriz*|directriz*|\
             guidelines|restric*|restriction*|filtro|filtros|filters|treinamento|entrenamiento|\
             training|limites|programac*|programming",
            "esqueca|esquece|olvida|olvide|forget ..1 tudo|todo|everything|all ..3 que|lo|you|\
             disse|dijeron|dito|foi|antes|acima|before|above",
            "prompt|instruc*|instructions|regras|reglas|rules ..2 do|de|del|of|da|the|iniciais|\
             iniciales|internas|originais|originales|ocultas|secretas|hidden|initial|your ..1 \
             sistema|sistem*|system|prompt|voce|vc|$",
            "system prompt|message|instructions",
            "prompt inicial|original|interno|completo|secreto|oculto",
            "initial|original|hidden|secret|internal|your prompt|instructions|rules|programming",
            "revel*|mostre|mostra|mostrar|diga|imprima|exiba|repita|repite|copie|show|reveal|print|\
             repeat|tell|display|muestra|muestrame|dime|output|cole ..4 prompt|instruc*|\
             instructions|programac*|codigo|configurac* ..1",
            "repita|repeat|repite|traduza|translate ..2 palavras|words|texto|text|everything|tudo|\
             todo ..2 acima|above|anterior*|arriba",
            "suas|tus|seu|seus|tu|your instruc*|regras|reglas|prompt|rules|instructions|diretrizes|\
             directrices|guidelines",
            "novas|nuevas|new instruc*|regras|instructions",
        ],
    },
    Table {
        group: Group::Reject(Category::Roleplay),
        rule: "roleplay-unbound",
        phrases: &[
            "sem|sin|without|no|nenhuma|zero|ninguna ..2 restric*|restriction*|limitac*|limitation*|\
             limites|limits|filtro|filtros|filter|filters|censura|censorship|regras|reglas|rules|\
             etica|ethics|moral",
            "do anything now",
            "fazer qualquer coisa agora",
            "hacer cualquier cosa",
            "<be> dan",
            "o|el|the|um|un|como|modo dan",
            "^ dan $",
            "dan mode|modo|responda|responde",
            "jailbreak*",
            "modo|mode ..1 desenvolvedor|dev|developer|desarrollador|deus|dios|god|debug|teste|test|\
             prueba|admin|administrador|root|livre|libre|irrestrito|sudo|hacker|diabo|dark|\
             manutencao|manutencion|carnaval",
            "modo|mode ..1 depuracao|depuracion|debugging|manutencao|programador|especial|secreto",
            "regras|reglas|rules secret*|ocult*|hidden|intern*",
            "developer|god|debug|test|admin|sudo|maintenance|dan|evil|dark|unrestricted|carnaval|\
             carnival mode|modo",
            "regras|rules|restric*|reglas|filters|filtros|safety ..2 desabilitad*|desativad*|\
             desactivad*|disabled|off|suspens*|removid*|nao|no",
            "unrestricted|uncensored|irrestrito|unfiltered",
            "hacker",
        ],
    },
    Table {
        group: Group::Reject(Category::Roleplay),
        rule: "roleplay-play",
        phrases: &[
            "finja|fingir|finge|finjas|fingi|finges|finga|pretend|pretending|imagine|imagina|\
             suponha|supon|suppose|simule|simula|simular|simulate ..3 que|ser|eres|es|voce|vc|you|\
             youre|to|um|un|a|uma|una|being|estar|esta|i|tu|meu|mi|my",
            "faz|faca|haz|hagamos|vamos de conta|cuenta",
            "esquece|esqueca|olvida|forget que|that ..1 voce|vc|eres|you|youre|es ..2",
            "pretend|finja|finge|imagina|imagine|suponha there|que ..2 <not>|no|nao ..3 regras|rules|reglas|limites|limits|restric*",
            "imprima|print|escreva|output|mostre|muestra ..1 text|texto|everything|tudo|prompt above|acima|arriba|anterior",
            "aja|haja|act|actua|comporte|comportate ..1 como|like|as humano|human|pessoa|person|persona|uma|um|un|a",
            "roleplay*",
            "role play|playing",
            "juego de rol|roles",
            "jogo de papeis|interpretacao",
            "act|acting|behave|respond|answer|talk|speak|write as|like ..1 a|an|my|if|you|though|\
             the ..5",
            "actua|actue|actuar|aja|haja|agir|comporte|comportate|comporta|responda|responde|\
             responder|fale|habla|atue|atua se? como ..1 se|si|um|un|uma|una|meu|mi|o|el|fosse|\
             fueras",
            "como|as se|si|if <small>? fosse|fosses|fueras|fuera|fueses|you ..1",
            "interprete|interpreta|represente|assuma|asume|assume|adopt|adote|play ..2 papel|role|\
             personagem|personaje|persona|part|identidade|rol",
            "you are now|no|dan|a|an|my ..2",
            "youre|you now|are ..1 a|my|an doctor|nurse|hacker|pirate|therapist|physician",
            "a partir|de de|agora|ahora ..2 voce|vc|tu|eres|seras|sera|voces|you|responda|serias",
            "from now on ..1 you|youre|act|answer|respond",
            "agora|ahora <small>? voce|vc|tu e|eh|es|sera|eres|seras|deve|pode|esta|debes",
            "agora|ahora eres|seras|es",
            "voce|vc agora|ahora e|eh|deve|sera|pode|esta",
            "voce|vc|tu|eres|sos e|eh|es|um|un|uma|una|el|mi|o ..1 dan|pirata|medico|medica|doctor|\
             doutor|hacker|namorada|namorado|novia|novio|personagem|terapeuta|psicologo",
            "eres|sos|seja|se|be mi|meu|minha|my|un|um medico|doctor|doctora|medica|doutor|\
             namorad*|novi*|girlfriend|boyfriend|psicologo|therapist|nurse|enfermer*",
            "vamos|lets|vamo|quero|want|let ..1 jogar|jugar|play|brincar|fazer ..4 voce|eres|you|\
             doctor|medico|papel|papeis|doutor|rpg|roleplay|personagem",
            "juega|jugar|brinca|brincar|play a|de|at ser|be|being ..3",
            "youre|you|eres|voce <be>? <small>? my|mi|meu|minha doctor|doctora|medico|medica|doutor|doutora|\
             nurse|therapist|girlfriend|boyfriend ..1",
            "speak|talk|answer|respond|habla|hablame|fala|fale|responde|responda|escribe ..2 like|como a|an|\
             um|uma|un|una ..1",
            "joguinho|jogo|juego|game|brincadeira , ..2 voce|vc|you|tu|eres",
            "conte|escreva|write|escribe|tell ..3 historia|story|conto ..3 explica*|explic*|where \
             ..2",
        ],
    },
    Table {
        group: Group::Spared(Category::Roleplay),
        rule: "not-play",
        phrases: &[
            "no|without|sem|sin problem|problema",
            "sem|sin|without <small>? <small>? limites|limite de|do|da|internet|saldo",
            "<med>|comida|dieta|alimento|tomar|comer|take sem|sin|without restric*",
            "ignora|ignorar|ignore|forget|olvida|esquece|esqueci ..1 <med>|<drug>",
            "instruc* do|de|da|del|of medico|medica|doctor|receita|receta|bula|uso|remedio",
            "esqueci|olvide|forgot",
        ],
    },
];
