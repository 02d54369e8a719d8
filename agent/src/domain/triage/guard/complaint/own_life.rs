//! Weariness of one's own day: work, study, pain, the heat, longing.

use super::super::group::{Group, Table};

/// Its phrases.
pub const TABLE: Table = Table {
    group: Group::Harmless,
    rule: "own-life",
    phrases: &[
        // weary of one's own day, not of the company
        "cansad*|cansei|estressad*|irritad*|frustrad*|chatead*|decepcionad*|harto|harta|tired|\
         sick|stressed|angry|mad|upset|furious|annoyed|exaust*|aborrecid*|puto|puta|raiva|odio|\
         cansado|nervos*|revoltad* com|por|de|da|do|dos|das|with|con|at|of|no|na <filler>? \
         <filler>? <calm>|trabalho|trabajo|faculdade|prova|estudos|work|job|familia|kids|filhos|\
         estudar|trabalhar|work|governo|academia|mim|mesmo|mesma|myself|studying|casa|cozinhar",
        "<not> aguento|aguanto|suporto|soporto|stand|take mais|mas? esse|essa|este|esta|tanto|\
         tanta|o|a|this|the|ficar|meu|minha|mi|com <filler>? <calm>|tosse|saudade|trabalho|\
         fome|sede|ansiedade|trabajo|hambre|tos|gravidez|longe",
        "<not> aguento|aguanto mais? esperar|espero pra|para|pela|por|ate ..1",
        "<not> aguento ..2 de saudade|fome|sono|dor|calor|frio|ansiedade|rir",
        "<calm> de|da|do mierda|merda|bosta|porra|cacete|caralho",
    ],
};
