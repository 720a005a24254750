//! The language of explanations.

/// The language of explanations and names of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese.
    Chinese,
}

impl From<Language> for grundy_wording::Language {
    fn from(language: Language) -> Self {
        match language {
            Language::English => Self::En,
            Language::Chinese => Self::Zh,
        }
    }
}
