//! Weariness and anger that the customer names, and vows never to come back.
//!
//! "cansei", "perdi a paciência", "nunca mais compro": said of the company unless
//! [`super::own_life`] says of what else.

use super::super::group::{Group, Table};

/// Its phrases.
pub const TABLE: Table = Table {
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
        "que|q nervoso|estresse|stress|desespero|absurdo|descaso",
        "com|muita|morrendo|passando|passar|morta|morto de? raiva|odio",
        "raiva|odio de|desse|dessa|desses|dessas|disso|do|da <filler>? <bot>|<service>|\
         <you>|<it>",
        "me|mim|da|dando|deu raiva|nos nervos|odio",
        "me arrependo|arrependi|arrependid*",
        "<me> arrependid*",
        "arrependimento ..2 compr*|contrat*|contrat*",
        "maior|pior arrependimento|erro|escolha|compra|experiencia|atendimento|empresa|\
         carro|produto|servico|decisao|coisa",
        "nunca mais $",
        "nunca mais compr*|volt*|pis*|us*|confi*|contrat*|pec*|pego|indic*|recomend*|quero|entro|\
         aqui|nessa|nesse|com|viaj*|assin*|reserv*|alug*|faco|pago|caio|boto|coloco",
        "never again",
        "nunca mas compro|vuelvo",
        "nunca|jamais compro|comprem|compre|contrato|contratem|indico|indicaria|recomendo|\
         recomendaria",
        "ta|esta|estao|tao|isso|voces|vcs me irritando|estressando|enchendo|tirando|cansando|irritam",
        "me tienen|tenes|tiene podrid*|hart*|cansad*|hasta",
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
        "estoy|estamos|muy|tan|re|ando|me cansado|cansada|cansados|cansa|cansaron de|que|con esto|\
         eso|ustedes|este|esta|tanta|tanto|esperar|llamar|que|tener|repetir|escribir|la|los|su",
        "estoy|estamos|muy|tan|re harto|harta|hartos|enojado|enojada|\
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
};
