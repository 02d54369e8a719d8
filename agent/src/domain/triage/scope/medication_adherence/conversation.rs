//! What any conversation is made of: greetings, thanks, how the customer feels, what the assistant
//! can do. And the sentences that have nothing to do with it.

use super::{Group, Table, count_words};
use crate::domain::triage::fold::Folded;

/// Turns that belong to any conversation about taking medicines.
pub const TABLES: &[Table] = &[Table {
    group: Group::Conversation,
    rule: "conversation",
    phrases: &[
        "ajuda|ajudar|ajude|meajuda|ayuda|ayudar|ayudame|ayudas|help|assist|assistance|socorro|\
         orientar|orientacao",
        "what|que|o|lo|oq ..2 can|podes|puedes|pode|consegue|faz|fazes|haces|sabe|sabes|do ..3 you|\
         hacer|fazer|voce|vc|aqui|do|$",
        "como ..2 funciona|funcionas|funcionamos|work",
        "how do|does you|this|it work",
        "quem|quien|who <small>? e|es|eres|are|sos ..1",
        "voce|vc|eres|are|sos|es ..3 robo|robot|bot|humano|human|maquina|real|medico|medica|\
         doctor|doctora|ia|ai|pessoa|persona",
        "<be> ..2 sentindo|sintiendo|feeling",
        "sinto|senti|sente|siento|senti|feel|feels|feeling|sentindo|sintiendo|sentir",
        "estou|to|tou|estoy|ando|im|am|fiquei|ta|esta|tudo|todo|i ..3 bem|bien|mal|melhor|mejor|\
         pior|peor|cansad*|tired|triste|sad|feliz|happy|ok|okay|fine|good|well|better|worse|\
         nervos*|preocupad*|worried|ansios*|confus*|perdid*|lost|assustad*|scared|desanimad*|\
         animad*|certo|great|sick|doente|enferm*|motivad*",
        "medico|medica|doctor|doctora|doutor|doutora|dr|dra|enfermeir*|enfermer*|nurse|pharmacist|\
         farmaceutic*|farmacia|pharmacy|consulta|consultas|cita|appointment|hospital|clinica|\
         clinic|posto|saude|salud|health|receita|receta|prescription|dose|doses|dosis",
        "<symptom>|<disease>|<exam>",
        "obrigad*|gracias|thanks|thank|valeu|agradec*|brigad*|vlw",
        "oi|ola|hola|hello|hi|hey|bom|boa|buenos|buenas|good dia|tarde|noite|dias|tardes|noches|\
         morning|afternoon|evening|$|there",
        "oi|ola|hola|hello|hi|hey|tchau|adios|bye|goodbye|ate chau",
        "ja|ya|already|acabei|acabo|just ..2 tomei|tome|took|tomado|taken|fiz|hice|did",
        "tomei|tome|took|tomo|tomar|taking|esqueci|esqueco|olvide|olvido|forgot|forget|lembrei|parei|pulei|lembrete|\
         recordatorio|reminder|lembra|recuerdame|remind",
        "<not> <small>? sei|se|know|quero|quiero|want|entendi|entendo|entiendo|understand|lembro|\
         recuerdo|remember|consigo|puedo|posso|funciona|funcionou|preciso|necesito ..4",
        "sim|si|yes|yeah|yep|nao|no|nope|ok|okay|claro|certo|isso|beleza|blz|talvez|sure|maybe|\
         perfeito|perfecto|entendi|entendido|combinado|listo|dale|bueno|right|exato|exacto $",
        "meus dados|lembretes|horarios",
        "apagar|apague|excluir|esqueca|borrar|borra|delete|cancelar|cancela|cancel|parar|sair|stop|\
         unsubscribe ..4",
        "falar|conversar|hablar|speak|talk|chat com|con|to|with ..4",
        "repete|repetir|repita|repite|repeat|again|de novo|otra vez|mais devagar",
        "segunda|terca|quarta|quinta|sexta|sabado|domingo|lunes|martes|miercoles|jueves|viernes|\
         manha|noite|tarde|jantar|cafe|almoco #number $",
        "as|a|at|las #number",
        "reclama*|reclamo|complaint|sugestao|sugerencia|feedback|problema|problem|erro|error",
        "meu|minha|mi|my nome|nombre|name",
        "me llamo|chamo",
        "peso|pesa|dieta|exercicio|exercicios|ejercicio|exercise|caminhar|diet|comer melhor|\
         alimentacao|alimentacion|fumar|smoking|smoke|beber|alcool|alcohol",
    ],
}];

/// A sentence of so many words that says nothing a conversation here is made of is about something
/// else. Shorter ones may be answers to a question ("às oito", "o azul").
const SENTENCE: usize = 4;
/// Longer texts are stories; where none of our words stands in them a person should look, not a
/// template.
const STORY: usize = 40;

/// Whether the message, in which no phrase of the profile was found, is a sentence about something
/// else.
pub fn is_elsewhere(text: &Folded) -> bool {
    (SENTENCE..=STORY).contains(&count_words(text))
}
