//! Which rules of scope an account goes by.

use std::fmt;
use std::str::FromStr;

/// A set of scope rules, written as a module and reviewed as code. Chosen per account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// No rules: the classifier is not called.
    #[default]
    None,
    /// Support for taking medicines as prescribed (seed 003).
    MedicationAdherence,
}

impl Profile {
    pub const ALL: [Self; 2] = [Self::None, Self::MedicationAdherence];

    /// Name in `accounts.scope_profile` and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::MedicationAdherence => "medication-adherence",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// No profile has this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownProfile(String);

impl fmt::Display for UnknownProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = Profile::ALL.iter().map(|profile| profile.as_str()).collect();
        write!(f, "there is no profile {}; there are {}", self.0, known.join(", "))
    }
}

impl std::error::Error for UnknownProfile {}

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(name: &str) -> Result<Self, UnknownProfile> {
        let found = Self::ALL.into_iter().find(|profile| profile.as_str() == name);
        found.ok_or_else(|| UnknownProfile(name.to_owned()))
    }
}
