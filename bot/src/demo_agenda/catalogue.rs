//! The made-up clinic: who works there, what they do, and what it costs.

/// A doctor, with the hours in which times begin, Monday to Friday.
#[derive(Debug)]
pub struct Doctor {
    pub id: &'static str,
    pub name: &'static str,
    pub specialty: &'static str,
    pub automatic_scheduling: bool,
    pub procedures: &'static [&'static str],
    pub insurances: &'static [&'static str],
    /// From one hour to before another.
    pub hours: &'static [(u32, u32)],
}

/// A consultation or examination.
#[derive(Debug)]
pub struct Procedure {
    pub id: &'static str,
    pub name: &'static str,
    pub price_cents: i64,
}

/// An insurance that the clinic takes.
#[derive(Debug)]
pub struct Insurance {
    pub id: &'static str,
    pub name: &'static str,
}

/// Lunch is from twelve to one, or to two.
pub const DOCTORS: &[Doctor] = &[
    Doctor {
        id: "joana-prado",
        name: "Dra. Joana Prado",
        specialty: "Dermatologia",
        automatic_scheduling: true,
        procedures: &["consulta-dermatologica", "limpeza-de-pele"],
        insurances: &["unimed", "bradesco-saude", "sulamerica"],
        hours: &[(8, 12), (13, 18)],
    },
    Doctor {
        id: "paulo-nogueira",
        name: "Dr. Paulo Nogueira",
        specialty: "Cardiologia",
        automatic_scheduling: true,
        procedures: &["consulta-cardiologica", "eletrocardiograma"],
        insurances: &["unimed", "bradesco-saude"],
        hours: &[(9, 12), (14, 18)],
    },
    Doctor {
        id: "marina-couto",
        name: "Dra. Marina Couto",
        specialty: "Clínica geral",
        automatic_scheduling: true,
        procedures: &["consulta-clinica-geral"],
        insurances: &["unimed", "bradesco-saude", "sulamerica", "amil"],
        hours: &[(13, 17), (18, 21)],
    },
    // The clinic books these by telephone.
    Doctor {
        id: "otavio-brandao",
        name: "Dr. Otávio Brandão",
        specialty: "Ortopedia",
        automatic_scheduling: false,
        procedures: &["consulta-ortopedica"],
        insurances: &["unimed"],
        hours: &[(8, 12)],
    },
    // On leave: an agenda without times.
    Doctor {
        id: "helena-vidal",
        name: "Dra. Helena Vidal",
        specialty: "Pediatria",
        automatic_scheduling: true,
        procedures: &["consulta-pediatrica"],
        insurances: &["unimed", "amil"],
        hours: &[],
    },
];

pub const PROCEDURES: &[Procedure] = &[
    Procedure {
        id: "consulta-dermatologica", name: "Consulta dermatológica", price_cents: 35_000
    },
    Procedure { id: "limpeza-de-pele", name: "Limpeza de pele", price_cents: 22_000 },
    Procedure { id: "consulta-cardiologica", name: "Consulta cardiológica", price_cents: 42_000 },
    Procedure { id: "eletrocardiograma", name: "Eletrocardiograma", price_cents: 18_000 },
    Procedure {
        id: "consulta-clinica-geral",
        name: "Consulta de clínica geral",
        price_cents: 25_000,
    },
    Procedure { id: "consulta-ortopedica", name: "Consulta ortopédica", price_cents: 38_000 },
    Procedure { id: "consulta-pediatrica", name: "Consulta pediátrica", price_cents: 30_000 },
];

pub const INSURANCES: &[Insurance] = &[
    Insurance { id: "unimed", name: "Unimed" },
    Insurance { id: "bradesco-saude", name: "Bradesco Saúde" },
    Insurance { id: "sulamerica", name: "SulAmérica" },
    Insurance { id: "amil", name: "Amil" },
];

pub fn doctor(id: &str) -> Option<&'static Doctor> {
    DOCTORS.iter().find(|doctor| doctor.id == id)
}

pub fn procedure(id: &str) -> Option<&'static Procedure> {
    PROCEDURES.iter().find(|procedure| procedure.id == id)
}

pub fn insurance(id: &str) -> Option<&'static Insurance> {
    INSURANCES.iter().find(|insurance| insurance.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_clinic_says_of_its_prices_is_what_the_agenda_charges() {
        let known = include_str!("../../../templates/demo/knowledge.md");
        let told = ["consulta-dermatologica", "consulta-cardiologica", "consulta-clinica-geral"];
        for id in told {
            let reais = procedure(id).unwrap().price_cents / 100;
            assert!(known.contains(&format!("R$ {reais},00")), "{id}");
        }
    }

    #[test]
    fn what_doctors_do_and_take_exists() {
        for doctor in DOCTORS {
            assert!(doctor.procedures.iter().all(|id| procedure(id).is_some()), "{}", doctor.id);
            assert!(doctor.insurances.iter().all(|id| insurance(id).is_some()), "{}", doctor.id);
        }
    }
}
