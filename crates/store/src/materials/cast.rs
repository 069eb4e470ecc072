//! The cast of a material: its speakers, and the e-reader of those that have one of their own. It can
//! be changed until the first conversion.

mod counting;

use std::collections::{BTreeSet, HashMap};

use lectern_types::{AccountId, Credits, EreaderId, MaterialId, MaterialStatus, Timestamp};

use super::{
    Material, lock,
    marks::{SURE, SpokenBy, read_marks},
};
use crate::{
    Environment, Result, Store,
    db::{Bound as _, Row, Tx, many, sql},
    ereaders::{self, Ereader},
};
pub(super) use counting::count_quotes;

/// A speaker of a material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Speaker {
    pub name: String,
    /// Who speaks; the narrator when `None`.
    pub ereader: Option<EreaderId>,
    /// How many stretches of the text are theirs.
    pub quotes: u32,
    /// How probably those are right, in thousandths.
    pub confidence: u32,
}

impl Speaker {
    /// Whether the text itself names them. Dialogue is never attributed with full certainty.
    pub fn is_named(&self) -> bool {
        self.quotes > 0 && self.confidence == SURE
    }
}

/// The outcome of a change of the cast. Nothing was changed unless it is [`CastOutcome::Changed`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CastOutcome {
    /// There is no such material.
    NotFound,
    /// Its text is not there.
    NotReady { status: MaterialStatus },
    /// It was converted with this e-reader.
    Locked { ereader: EreaderId },
    /// It is changed; the cast as it is now.
    Changed(Vec<Speaker>),
}

/// The cast of a material: those with most quotes first.
pub async fn cast(store: &Store, material: &Material) -> Result<Vec<Speaker>> {
    let rows = store
        .all(sql!(
            "SELECT name, ereader_id, quotes, confidence FROM material_cast WHERE material_id = $1 ORDER BY place",
            material.id
        ))
        .await?;
    rows.iter().map(read).collect()
}

/// As [`cast`], of a locked material.
async fn of(tx: &mut Tx, material: MaterialId) -> Result<Vec<Speaker>> {
    let rows = tx
        .all(sql!(
            "SELECT name, ereader_id, quotes, confidence FROM material_cast WHERE material_id = $1 ORDER BY place",
            material
        ))
        .await?;
    rows.iter().map(read).collect()
}

fn read(row: &Row) -> Result<Speaker> {
    Ok(Speaker {
        name: row.get("name")?,
        ereader: row.get("ereader_id")?,
        quotes: row.get("quotes")?,
        confidence: row.get("confidence")?,
    })
}

/// Gives speakers of a material of the account their e-readers; all others are the narrator's.
pub async fn set_cast(
    store: &Store,
    account: AccountId,
    environment: Environment,
    material: MaterialId,
    speakers: &[(String, Option<EreaderId>)],
    now: Timestamp,
) -> Result<CastOutcome> {
    let mut tx = store.begin().await?;
    let found = lock(&mut tx, material).await?;
    let Some(found) = found.filter(|found| (found.account, found.environment) == (account, environment))
    else {
        return Ok(CastOutcome::NotFound);
    };
    if let Some(ereader) = found.ereader {
        return Ok(CastOutcome::Locked { ereader });
    }
    let status = found.status;
    if matches!(status, MaterialStatus::Processing | MaterialStatus::Failed) {
        return Ok(CastOutcome::NotReady { status });
    }
    // A name that the text does not have does no harm, and goes with the next change.
    tx.run(sql!("DELETE FROM material_cast WHERE material_id = $1 AND quotes = 0", material)).await?;
    tx.run(sql!("UPDATE material_cast SET ereader_id = NULL WHERE material_id = $1", material)).await?;
    let rows = (1_000_000_i64..).zip(speakers).map(|(place, (name, ereader))| {
        [material.bind(), name.as_str().bind(), place.bind(), (*ereader).bind(), 0_i64.bind(), 0_i64.bind()]
    });
    let after = " ON CONFLICT (material_id, name) DO UPDATE SET ereader_id = excluded.ereader_id";
    tx.run_all(many(INSERT, &[], rows, after)).await?;
    tx.run(sql!("UPDATE materials SET updated_at = $2 WHERE id = $1", material, now)).await?;
    let cast = of(&mut tx, material).await?;
    tx.commit().await?;
    Ok(CastOutcome::Changed(cast))
}

const INSERT: &str =
    "INSERT INTO material_cast (material_id, name, place, ereader_id, quotes, confidence) VALUES ";

/// Stores the speakers of a text that was extracted.
pub(super) async fn insert(tx: &mut Tx, material: MaterialId, speakers: &[Speaker]) -> Result<()> {
    let rows = (0_i64..).zip(speakers).map(|(place, speaker)| {
        [
            material.bind(),
            speaker.name.as_str().bind(),
            place.bind(),
            speaker.ereader.bind(),
            speaker.quotes.bind(),
            speaker.confidence.bind(),
        ]
    });
    tx.run_all(many(INSERT, &[], rows, "")).await.map(drop)
}

/// What the stretches of a locked material's chunks cost that have an e-reader of their own: for each
/// chunk, paid characters and the price of one.
pub(super) async fn prices(tx: &mut Tx, material: MaterialId) -> Result<HashMap<u32, Vec<(u32, Credits)>>> {
    let rows = tx
        .all(sql!(
            "SELECT c.name, e.price_per_character FROM material_cast c JOIN ereaders e ON e.id = c.ereader_id
             WHERE c.material_id = $1",
            material
        ))
        .await?;
    let by_name: HashMap<String, Credits> =
        rows.iter().map(|row| row.pair("name", "price_per_character")).collect::<Result<_>>()?;
    let mut prices = HashMap::new();
    if by_name.is_empty() {
        return Ok(prices);
    }
    let rows = tx
        .all(sql!(
            "SELECT idx, speakers FROM chunk_texts WHERE material_id = $1 AND speakers <> '[]'",
            material
        ))
        .await?;
    for row in rows {
        let (index, stretches): (u32, String) = row.pair("idx", "speakers")?;
        let stretches: Vec<SpokenBy> = read_marks(&stretches)?;
        let own =
            stretches.iter().filter_map(|own| Some((own.characters, *by_name.get(own.name.as_ref()?)?)));
        prices.insert(index, own.collect());
    }
    Ok(prices)
}

/// The e-readers of speakers of these materials that have one of their own, by material and name.
pub(crate) async fn voices(
    tx: &mut Tx,
    materials: &BTreeSet<MaterialId>,
) -> Result<Vec<(MaterialId, String, Ereader)>> {
    let ids = materials.iter().map(|material| [material.bind()]);
    let before = "SELECT material_id, name, ereader_id FROM material_cast
         WHERE ereader_id IS NOT NULL AND material_id IN (";
    let rows = tx.every(many(before, &[], ids, ") ORDER BY material_id, place")).await?;
    let cast = rows
        .iter()
        .map(|row| Ok((row.get("material_id")?, row.get("name")?, row.get("ereader_id")?)))
        .collect::<Result<Vec<(MaterialId, String, EreaderId)>>>()?;
    let readers = cast.iter().map(|(_, _, ereader)| *ereader).collect();
    let readers = ereaders::find_in(tx, &readers).await?;
    let found = cast.into_iter().filter_map(|(material, name, id)| {
        Some((material, name, readers.iter().find(|reader| reader.id == id)?.clone()))
    });
    Ok(found.collect())
}
