//! What goes wrong, one thing after another, each of them several times.

use std::fmt::Write;
use std::time::Duration;

use fastrand::Rng;

use super::customers::Platform;
use crate::support::fleet::{Fleet, Member};
use crate::support::postgres_server::PostgresServer;
use crate::support::proxy::Proxy;
use crate::support::redis_server::RedisServer;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    KillBot,
    KillWorker,
    KillBothWorkers,
    KillRedis,
    FlushRedis,
    KillPostgres,
    StallPostgres,
    StallRedis,
    CutPostgres,
    CutRedis,
}

impl Fault {
    const ALL: [Self; 10] = [
        Self::KillBot,
        Self::KillWorker,
        Self::KillBothWorkers,
        Self::KillRedis,
        Self::FlushRedis,
        Self::KillPostgres,
        Self::StallPostgres,
        Self::StallRedis,
        Self::CutPostgres,
        Self::CutRedis,
    ];
}

/// All that can break.
pub struct World<'a> {
    pub fleet: &'a Fleet,
    /// Two bots, then two workers.
    pub members: Vec<Member>,
    pub postgres: PostgresServer,
    pub redis: RedisServer,
    pub database_wire: Proxy,
    pub redis_wire: Proxy,
    pub dice: Rng,
    pub faults: Vec<Fault>,
}

impl World<'_> {
    /// One fault after another in an order of its own, each kind at least once, for as long as
    /// somebody writes. At the end everything runs.
    pub async fn rage(&mut self, platform: &Platform) {
        let mut coming: Vec<Fault> = Vec::new();
        loop {
            if coming.is_empty() {
                if !self.faults.is_empty() && !platform.is_writing() {
                    break;
                }
                coming = Fault::ALL.to_vec();
                self.dice.shuffle(&mut coming);
            }
            let pause = self.milliseconds(300, 1_500);
            tokio::time::sleep(pause).await;
            if let Some(fault) = coming.pop() {
                self.faults.push(fault);
                self.strike(fault).await;
            }
            // As a supervisor does.
            self.members.iter_mut().for_each(|member| self.fleet.revive(member));
        }
    }

    fn milliseconds(&mut self, least: u64, most: u64) -> Duration {
        Duration::from_millis(self.dice.u64(least..=most))
    }

    async fn strike(&mut self, fault: Fault) {
        let (time, which) = (self.milliseconds(200, 1_500), self.dice.usize(0..2));
        match fault {
            Fault::KillBot => self.members[which].kill(),
            Fault::KillWorker => self.members[2 + which].kill(),
            Fault::KillBothWorkers => self.members[2..].iter_mut().for_each(Member::kill),
            Fault::KillRedis => {
                self.redis.kill();
                tokio::time::sleep(time).await;
                self.redis.up().await;
            }
            Fault::FlushRedis => self.redis.flush().await,
            Fault::KillPostgres => {
                self.postgres.kill();
                tokio::time::sleep(time).await;
                self.postgres.up().await;
            }
            Fault::StallPostgres => self.database_wire.stall(time * 2).await,
            Fault::StallRedis => self.redis_wire.stall(time * 2).await,
            Fault::CutPostgres => {
                self.database_wire.cut();
                tokio::time::sleep(time).await;
                self.database_wire.mend();
            }
            Fault::CutRedis => {
                self.redis_wire.cut();
                tokio::time::sleep(time).await;
                self.redis_wire.mend();
            }
        }
    }

    /// How often each fault struck.
    pub fn told(&self) -> String {
        let mut told = String::from("faults:");
        for fault in Fault::ALL {
            let count = self.faults.iter().filter(|each| **each == fault).count();
            let _ = write!(told, " {fault:?} {count},");
        }
        told.trim_end_matches(',').to_owned()
    }
}
