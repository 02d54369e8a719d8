//! Who may do what: permissions, the roles that bundle them, and the scopes of tokens, which are
//! the same names.

use std::fmt;

/// One thing that a page or route does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Permission {
    ConversationsRead,
    /// Answer, take, pause, resolve, judge what triage said.
    ConversationsWrite,
    ContactsRead,
    /// Change attributes; edit and forget single memories.
    ContactsWrite,
    /// Forget everything, export, erase.
    ContactsErase,
    KnowledgeRead,
    KnowledgeWrite,
    ToolsRead,
    ToolsWrite,
    SettingsRead,
    /// The account, its lines, units, agenda and toggles.
    SettingsWrite,
    /// Operators, their sessions, tokens.
    OperatorsWrite,
    JobsRead,
    JobsWrite,
    /// What concerns every account: queues, schedules, workers, jobs of no account.
    InstanceRun,
}

impl Permission {
    pub const ALL: [Permission; 15] = [
        Permission::ConversationsRead,
        Permission::ConversationsWrite,
        Permission::ContactsRead,
        Permission::ContactsWrite,
        Permission::ContactsErase,
        Permission::KnowledgeRead,
        Permission::KnowledgeWrite,
        Permission::ToolsRead,
        Permission::ToolsWrite,
        Permission::SettingsRead,
        Permission::SettingsWrite,
        Permission::OperatorsWrite,
        Permission::JobsRead,
        Permission::JobsWrite,
        Permission::InstanceRun,
    ];

    /// Its name in tokens and documents.
    pub const fn as_str(self) -> &'static str {
        match self {
            Permission::ConversationsRead => "conversations:read",
            Permission::ConversationsWrite => "conversations:write",
            Permission::ContactsRead => "contacts:read",
            Permission::ContactsWrite => "contacts:write",
            Permission::ContactsErase => "contacts:erase",
            Permission::KnowledgeRead => "knowledge:read",
            Permission::KnowledgeWrite => "knowledge:write",
            Permission::ToolsRead => "tools:read",
            Permission::ToolsWrite => "tools:write",
            Permission::SettingsRead => "settings:read",
            Permission::SettingsWrite => "settings:write",
            Permission::OperatorsWrite => "operators:write",
            Permission::JobsRead => "jobs:read",
            Permission::JobsWrite => "jobs:write",
            Permission::InstanceRun => "instance:run",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|permission| permission.as_str() == name)
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A set of permissions.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Permissions(u32);

impl Permissions {
    pub const NONE: Permissions = Permissions(0);

    pub fn of(permissions: &[Permission]) -> Self {
        Self(permissions.iter().fold(0, |bits, permission| bits | permission.bit()))
    }

    pub const fn holds(self, permission: Permission) -> bool {
        self.0 & permission.bit() != 0
    }

    #[must_use]
    pub const fn with(self, permission: Permission) -> Self {
        Self(self.0 | permission.bit())
    }

    /// Whether all of `other` is in it.
    pub const fn covers(self, other: Permissions) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn iter(self) -> impl Iterator<Item = Permission> {
        Permission::ALL.into_iter().filter(move |permission| self.holds(*permission))
    }

    /// Names separated by spaces; `None` with a name that is none.
    pub fn parse(names: &str) -> Option<Self> {
        names
            .split_whitespace()
            .try_fold(Self::NONE, |set, name| Some(set.with(Permission::parse(name)?)))
    }
}

impl fmt::Display for Permissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(Permission::as_str).collect();
        f.write_str(&names.join(" "))
    }
}

impl fmt::Debug for Permissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

/// What an operator is in their account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Everything of the account.
    Admin,
    /// Conversations, customers and knowledge.
    Agent,
    /// Looks and changes nothing.
    Viewer,
}

impl Role {
    pub const ALL: [Role; 3] = [Role::Admin, Role::Agent, Role::Viewer];

    pub const fn as_str(self) -> &'static str {
        match self {
            Role::Admin => "admin",
            Role::Agent => "agent",
            Role::Viewer => "viewer",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }

    /// What the role may do; running the instance is given to persons, not to roles.
    pub fn permissions(self) -> Permissions {
        use Permission::{
            ContactsRead, ContactsWrite, ConversationsRead, ConversationsWrite, InstanceRun,
            JobsRead, KnowledgeRead, KnowledgeWrite, SettingsRead, ToolsRead,
        };
        let looks =
            [ConversationsRead, ContactsRead, KnowledgeRead, ToolsRead, SettingsRead, JobsRead];
        let viewer = Permissions::of(&looks);
        match self {
            Role::Viewer => viewer,
            Role::Agent => viewer.with(ConversationsWrite).with(ContactsWrite).with(KnowledgeWrite),
            Role::Admin => Permission::ALL
                .into_iter()
                .filter(|permission| *permission != InstanceRun)
                .fold(viewer, Permissions::with),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for permission in Permission::ALL {
            assert_eq!(Permission::parse(permission.as_str()), Some(permission));
        }
        for role in Role::ALL {
            assert_eq!(Role::parse(role.as_str()), Some(role));
        }
        let some = Permissions::of(&[Permission::ToolsRead, Permission::JobsWrite]);
        assert_eq!(Permissions::parse(&some.to_string()), Some(some));
        assert_eq!(Permissions::parse("tools:read everything"), None);
    }

    #[test]
    fn each_role_may_do_what_the_one_below_it_may() {
        let [admin, agent, viewer] = Role::ALL.map(Role::permissions);
        assert!(admin.covers(agent) && agent.covers(viewer));
        assert!(!agent.covers(admin) && !viewer.covers(agent));
        assert!(viewer.iter().all(|permission| permission.as_str().ends_with(":read")));
        assert!(!admin.holds(Permission::InstanceRun));
    }
}
