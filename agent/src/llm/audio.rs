//! How long an audio file plays, for servers that do not say.

/// Bytes of a second where the file does not tell: the lowest rate that WhatsApp records voices at,
/// so that what is not known is rather counted as too long.
const LEAST_BYTES_PER_SECOND: f64 = 2_000.0;
/// No file plays longer than it would at this rate: a broken one may claim anything.
const FEWEST_BYTES_PER_SECOND: f64 = 250.0;
/// Opus counts its samples so, whatever it was recorded at.
const OPUS_RATE: f64 = 48_000.0;

/// Seconds, exactly for Ogg (Opus and Vorbis), which is what voice messages are; by the size of
/// other files.
pub fn seconds(audio: &[u8]) -> f64 {
    let most = audio.len() as f64 / FEWEST_BYTES_PER_SECOND;
    match of_ogg(audio) {
        Some(seconds) => seconds.clamp(0.0, most),
        None => audio.len() as f64 / LEAST_BYTES_PER_SECOND,
    }
}

/// The last page says how many samples there are in all (RFC 3533, RFC 7845).
fn of_ogg(audio: &[u8]) -> Option<f64> {
    if !audio.starts_with(b"OggS") {
        return None;
    }
    let rate = rate(audio)?;
    let last = audio.windows(4).rposition(|window| window == b"OggS")?;
    let samples: [u8; 8] = audio.get(last + 6..last + 14)?.try_into().ok()?;
    let samples = i64::from_le_bytes(samples);
    (samples > 0).then(|| samples as f64 / rate)
}

fn rate(audio: &[u8]) -> Option<f64> {
    let head = audio.get(..audio.len().min(200))?;
    let at = |magic: &[u8]| head.windows(magic.len()).position(|window| window == magic);
    if at(b"OpusHead").is_some() {
        return Some(OPUS_RATE);
    }
    // Behind the magic word: version (4), channels (1), rate (4).
    let vorbis = at(b"\x01vorbis")? + 7;
    let rate: [u8; 4] = head.get(vorbis + 5..vorbis + 9)?.try_into().ok()?;
    let rate = u32::from_le_bytes(rate);
    (rate > 0).then(|| f64::from(rate))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(samples: i64, holds: &[u8]) -> Vec<u8> {
        let mut page = b"OggS\0\0".to_vec();
        page.extend(samples.to_le_bytes());
        page.extend([0; 13]);
        page.extend(holds);
        page
    }

    #[test]
    fn an_ogg_file_plays_as_long_as_its_last_page_says() {
        let mut opus = page(0, b"OpusHead\x01\x01");
        opus.extend(page(48_000 * 5, &[7; 20_000]));
        opus.extend(page(48_000 * 12, &[7; 20_000]));
        assert!((seconds(&opus) - 12.0).abs() < 1e-9);
        let mut vorbis = page(0, b"\x01vorbis\0\0\0\0\x01\x44\xac\0\0");
        vorbis.extend(page(44_100 * 3, &[7; 9_000]));
        assert!((seconds(&vorbis) - 3.0).abs() < 1e-9);
    }

    #[test]
    fn other_and_broken_files_count_by_their_size() {
        assert!((seconds(&[0; 20_000]) - 10.0).abs() < 1e-9);
        assert_eq!(seconds(b""), 0.0);
        assert!(seconds(b"OggS") < 0.01);
        let mut endless = page(0, b"OpusHead");
        endless.extend(page(i64::MAX, &[]));
        assert!(seconds(&endless) < 1.0);
    }
}
