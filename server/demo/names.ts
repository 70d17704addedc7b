import { listOf } from './lists.ts'

const OPENINGS = listOf(`
  Bal, Bor, Bre, Cal, Cor, Cry, Dar, Del, Dra, Fal, Fen, Fri, Gal, Gor, Gri, Hal, Hex, Hol, Jar, Jex, Kal, Kor, Kry, Lan,
  Lor, Lux, Mal, Mer, Mor, Nar, Nex, Nor, Oba, Pal, Per, Pra, Qua, Ral, Rin, Sar, Sel, Sto, Tal, Tor, Ulm, Var, Vel, Zan`)

const MIDDLES = listOf(`
  a, ba, be, bi, da, de, do, e, fi, ga, ge, go, i, ka, ke, ko, la, le, lo, ma, me, mi, na, ne, no, o, pa, ra, re, ri, sa,
  se, so, ta, te, to, u, va, ve, vo`)

const ENDINGS = listOf(`
  ban, bis, bor, cad, con, dan, dex, dor, fan, fix, gan, gor, kan, kil, kus, lan, lex, lin, lor, mar, men, mir, nak, nel,
  nix, pan, por, ran, rel, rim, sek, sin, tan, ter, tik, tor, van, ver, vin, zor`)

const COLOURS = listOf(`
  Amber, Ashen, Brass, Bronze, Cobalt, Copper, Coral, Crimson, Dusky, Ebony, Emerald, Faded, Frosted, Gilded, Granite,
  Hollow, Indigo, Iron, Ivory, Jade, Lacquered, Linen, Marble, Mottled, Muted, Ochre, Olive, Opal, Paper, Pewter, Polished,
  Quiet, Rusted, Saffron, Scarlet, Silent, Silver, Slate, Sleepless, Tarnished, Umber, Velvet, Violet, Woven`)

const CREATURES = listOf(`
  Heron, Magpie, Lapwing, Plover, Curlew, Sparrow, Bittern, Shrike, Wren, Osprey, Kestrel, Starling, Nightjar, Petrel,
  Gannet, Dunlin, Badger, Stoat, Marten, Lynx, Ibex, Tapir, Okapi, Gecko, Newt, Mantis, Cicada, Hornet, Beetle, Weevil,
  Lamprey, Sturgeon, Marlin, Urchin, Nautilus, Juniper, Alder, Rowan, Hawthorn, Thistle`)

const OBJECTS = listOf(`
  Lantern, Anvil, Compass, Ledger, Candle, Chisel, Hammock, Sextant, Bellows, Trellis, Spindle, Cauldron, Abacus, Easel,
  Funnel, Gimbal, Hinge, Inkwell, Kettle, Loom, Metronome, Needle, Oarlock, Pulley, Quill, Rivet, Saddle, Thimble, Urn,
  Valve, Whistle, Yoke`)

const TRADES = listOf(`
  Bank, Energy, Logistics, Health, Telecom, Systems, Insurance, Airlines, Foods, Motors, Pharma, Water, Rail, University,
  Holding, Media`)

const BREEDS = ['', '', '', '', 'RAT', 'Stealer', 'Loader', 'Locker', 'Bot', 'Wiper', 'Miner', 'Spy']

/** Octaves of names: 2^16 - 1 of each kind, the first ones the best known. */
export const NAME_OCTAVES = 16

/** The name of a malware, by its rank in distribution. */
export const malwareName = (rank: number): string => stem(rank, 0) + at(BREEDS, rank * 5)

/** The name of a group of attackers, by its rank in publicity. */
export function actorName(rank: number): string {
  if (rank % 4 === 3) return `TH-${1000 + rank}`
  if (rank % 4 === 2) return `${stem(rank, 21_011)} Group`
  return pair(rank, COLOURS, CREATURES)
}

/** The name of a campaign. */
export function campaignName(rank: number): string {
  if (rank % 3 === 2) return `Operation ${stem(rank, 34_567)}`
  return `Operation ${pair(rank, COLOURS, OBJECTS)}`
}

/** The name of an organisation that was attacked. */
export const organisationName = (rank: number): string => `${stem(rank, 47_123)} ${at(TRADES, rank * 3)}`

/** The name of legitimate software that attackers use. */
export const toolName = (rank: number): string =>
  `${stem(rank, 59_999)}${at(['kit', 'scan', 'dump', 'tun', 'shell'], rank)}`

/** A pronounceable invented word, for handles and parts of domains. */
export const inventedWord = (rank: number): string => stem(rank, 70_001).toLowerCase()

/** Every pair occurs before one repeats, because the factor is coprime to both numbers of words. */
function pair(rank: number, first: readonly string[], second: readonly string[]): string {
  const place = rank * 577
  return `${at(first, place)} ${at(second, Math.floor(place / first.length))}`
}

/** Different for every rank: the factor is coprime to the number of combinations. */
function stem(rank: number, shift: number): string {
  const place = (rank * 48_271 + shift) % (OPENINGS.length * MIDDLES.length * ENDINGS.length)
  const rest = Math.floor(place / OPENINGS.length)
  return at(OPENINGS, place) + at(MIDDLES, rest) + at(ENDINGS, Math.floor(rest / MIDDLES.length))
}

const at = (list: readonly string[], place: number): string => list[place % list.length] ?? ''
