//! What a process uses, from /proc.

use std::fs::read_to_string;

/// Clock ticks of /proc a second, which Linux fixes for programs.
const TICKS: f64 = 100.0;

#[derive(Debug, Clone, Copy)]
pub struct Usage {
    pub cpu_us: f64,
    pub peak_mb: u64,
}

impl Usage {
    pub fn of(pid: u32) -> Self {
        let stat = read_to_string(format!("/proc/{pid}/stat")).expect("Linux");
        // The name, in brackets, may hold spaces.
        let fields: Vec<&str> =
            stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |index: usize| fields.get(index).and_then(|text| text.parse::<f64>().ok());
        let ticks = ticks(11).unwrap_or_default() + ticks(12).unwrap_or_default();
        let status = read_to_string(format!("/proc/{pid}/status")).expect("Linux");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok());
        Self { cpu_us: ticks / TICKS * 1e6, peak_mb: peak.unwrap_or_default() / 1024 }
    }

    /// The time since then; memory at its most so far.
    pub fn since(self, before: Self) -> Self {
        Self { cpu_us: self.cpu_us - before.cpu_us, ..self }
    }
}
