//! Which domains of scope an account's categories cover (seed 003: the keywords of a domain widen
//! what is looked up; DESIGN §8: a covered domain proceeds).

use crate::domain::triage::fold::fold;
use crate::domain::triage::scope::Domain;

/// Words by which a category's name covers a domain, folded; `*` stands for any ending. The
/// domains' own names cover them too.
const NAMES: &[(Domain, &[&str])] = &[
    (
        Domain::CostBarriers,
        &[
            "custo*",
            "preco*",
            "precio*",
            "cost",
            "costs",
            "costo*",
            "price*",
            "pricing",
            "affordab*",
            "desconto*",
            "descuento*",
            "discount*",
            "farmacia popular",
            "remedio* caro*",
            "medicamento* caro*",
            "medicamento* gratuito*",
            "remedio* gratuito*",
        ],
    ),
    (Domain::Caregiver, &["cuidador*", "caregiver*", "carer*", "caregiving"]),
    (
        Domain::HealthLiteracy,
        &[
            "letramento*",
            "alfabetizac*",
            "alfabetizacion*",
            "literacy",
            "educacao em saude",
            "educacion en salud",
            "health education",
            "entender a bula",
            "bula*",
            "prospecto*",
        ],
    ),
    (Domain::Statin, &["estatina*", "statin*", "colesterol", "cholesterol"]),
    (
        Domain::Inhaler,
        &[
            "inalador*",
            "inhalador*",
            "inhaler*",
            "bombinha*",
            "asma",
            "asthma",
            "dpoc",
            "epoc",
            "copd",
            "nebuliz*",
        ],
    ),
    (
        Domain::Antidepressant,
        &[
            "antidepressiv*",
            "antidepresiv*",
            "antidepressant*",
            "depressao",
            "depresion",
            "depression",
        ],
    ),
    (
        Domain::PillBurden,
        &[
            "muitos remedios",
            "muitos comprimidos",
            "muitos medicamentos",
            "muchas pastillas",
            "muchos medicamentos",
            "carga de comprimidos",
            "carga de pastillas",
            "too many pills",
            "polifarmacia",
            "polypharmacy",
            "polimedicac*",
        ],
    ),
    (
        Domain::AdherenceGeneral,
        &[
            "adesao*",
            "aderencia*",
            "adherencia*",
            "adherence*",
            "adesao ao tratamento",
            "esquecer remedio*",
            "esquecimento*",
            "doses esquecidas",
            "missed doses",
            "lembrete* de remedio*",
            "rotina de remedios",
        ],
    ),
];

/// The domains that a category covers, by its name or any name of its path.
pub fn domains_of(category: &str) -> Vec<Domain> {
    let folded = fold(category);
    let words: Vec<&str> =
        folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let covers = |(domain, names): &(Domain, &[&str])| {
        let own = domain.as_str().replace('-', " ");
        let mut names = names.iter().copied().chain([own.as_str()]);
        names.any(|name| holds(&words, name)).then_some(*domain)
    };
    NAMES.iter().filter_map(covers).collect()
}

/// Whether the words of `name` stand in a row.
fn holds(words: &[&str], name: &str) -> bool {
    let name: Vec<&str> = name.split(' ').collect();
    let fits = |(word, wanted): (&&str, &&str)| match wanted.strip_suffix('*') {
        Some(beginning) => word.starts_with(beginning),
        None => word == wanted,
    };
    words.windows(name.len()).any(|row| row.iter().zip(&name).all(fits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_cover_the_domains_that_they_name() {
        for (category, domains) in [
            ("Estatinas", vec![Domain::Statin]),
            ("statin", vec![Domain::Statin]),
            ("Remédios > Colesterol", vec![Domain::Statin]),
            ("Bombinhas e inaladores", vec![Domain::Inhaler]),
            ("ANTIDEPRESSIVOS", vec![Domain::Antidepressant]),
            ("cost-barriers", vec![Domain::CostBarriers]),
            ("cost_barriers", vec![Domain::CostBarriers]),
            ("Preço dos medicamentos", vec![Domain::CostBarriers]),
            ("Farmácia Popular", vec![Domain::CostBarriers]),
            ("Para cuidadores", vec![Domain::Caregiver]),
            ("Letramento em saúde", vec![Domain::HealthLiteracy]),
            ("health literacy", vec![Domain::HealthLiteracy]),
            ("Carga de comprimidos", vec![Domain::PillBurden]),
            ("Adesão ao tratamento", vec![Domain::AdherenceGeneral]),
            ("adherence-general", vec![Domain::AdherenceGeneral]),
            ("Estatinas / Custos", vec![Domain::CostBarriers, Domain::Statin]),
            ("Horários", vec![]),
            ("general", vec![]),
            ("Costa do Sauípe", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(domains_of(category), domains, "{category}");
        }
    }

    #[test]
    fn every_domain_of_the_seed_is_covered_by_its_name() {
        for domain in Domain::ALL {
            assert!(domains_of(domain.as_str()).contains(&domain), "{}", domain.as_str());
        }
    }
}
