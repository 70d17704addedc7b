import { normalisedName } from './names.ts'

/** The ISO 3166-1 codes of countries, with two and with three letters. */
const CODES = `AD:AND AE:ARE AF:AFG AG:ATG AI:AIA AL:ALB AM:ARM AO:AGO AQ:ATA AR:ARG AS:ASM AT:AUT AU:AUS AW:ABW AX:ALA AZ:AZE BA:BIH
  BB:BRB BD:BGD BE:BEL BF:BFA BG:BGR BH:BHR BI:BDI BJ:BEN BL:BLM BM:BMU BN:BRN BO:BOL BQ:BES BR:BRA BS:BHS BT:BTN BV:BVT
  BW:BWA BY:BLR BZ:BLZ CA:CAN CC:CCK CD:COD CF:CAF CG:COG CH:CHE CI:CIV CK:COK CL:CHL CM:CMR CN:CHN CO:COL CQ:CRQ CR:CRI
  CU:CUB CV:CPV CW:CUW CX:CXR CY:CYP CZ:CZE DE:DEU DJ:DJI DK:DNK DM:DMA DO:DOM DZ:DZA EC:ECU EE:EST EG:EGY EH:ESH ER:ERI
  ES:ESP ET:ETH FI:FIN FJ:FJI FK:FLK FM:FSM FO:FRO FR:FRA GA:GAB GB:GBR GD:GRD GE:GEO GF:GUF GG:GGY GH:GHA GI:GIB GL:GRL
  GM:GMB GN:GIN GP:GLP GQ:GNQ GR:GRC GS:SGS GT:GTM GU:GUM GW:GNB GY:GUY HK:HKG HM:HMD HN:HND HR:HRV HT:HTI HU:HUN ID:IDN
  IE:IRL IL:ISR IM:IMN IN:IND IO:IOT IQ:IRQ IR:IRN IS:ISL IT:ITA JE:JEY JM:JAM JO:JOR JP:JPN KE:KEN KG:KGZ KH:KHM KI:KIR
  KM:COM KN:KNA KP:PRK KR:KOR KW:KWT KY:CYM KZ:KAZ LA:LAO LB:LBN LC:LCA LI:LIE LK:LKA LR:LBR LS:LSO LT:LTU LU:LUX LV:LVA
  LY:LBY MA:MAR MC:MCO MD:MDA ME:MNE MF:MAF MG:MDG MH:MHL MK:MKD ML:MLI MM:MMR MN:MNG MO:MAC MP:MNP MQ:MTQ MR:MRT MS:MSR
  MT:MLT MU:MUS MV:MDV MW:MWI MX:MEX MY:MYS MZ:MOZ NA:NAM NC:NCL NE:NER NF:NFK NG:NGA NI:NIC NL:NLD NO:NOR NP:NPL NR:NRU
  NU:NIU NZ:NZL OM:OMN PA:PAN PE:PER PF:PYF PG:PNG PH:PHL PK:PAK PL:POL PM:SPM PN:PCN PR:PRI PS:PSE PT:PRT PW:PLW PY:PRY
  QA:QAT RE:REU RO:ROU RS:SRB RU:RUS RW:RWA SA:SAU SB:SLB SC:SYC SD:SDN SE:SWE SG:SGP SH:SHN SI:SVN SJ:SJM SK:SVK SL:SLE
  SM:SMR SN:SEN SO:SOM SR:SUR SS:SSD ST:STP SV:SLV SX:SXM SY:SYR SZ:SWZ TC:TCA TD:TCD TF:ATF TG:TGO TH:THA TJ:TJK TK:TKL
  TL:TLS TM:TKM TN:TUN TO:TON TR:TUR TT:TTO TV:TUV TW:TWA TZ:TZA UA:UKR UG:UGA UM:UMI US:USA UY:URY UZ:UZB VA:VAT VC:VCT
  VE:VEN VG:VGB VI:VIR VN:VNM VU:VUT WF:WLF WS:WSM YE:YEM YT:MYT ZA:ZAF ZM:ZMB ZW:ZWE`

const TWO_LETTERS: ReadonlyMap<string, string> = new Map(
  CODES.split(/\s+/).flatMap((pair) => {
    const [two = '', three = ''] = pair.split(':')
    return [
      [two, two],
      [three, two],
    ]
  }),
)

/** The two-letter code of a country, given either code; undefined for any other text. */
export const countryCodeOf = (text: unknown): string | undefined =>
  typeof text === 'string' ? TWO_LETTERS.get(text.trim().toUpperCase()) : undefined

const ENGLISH = new Intl.DisplayNames('en', { type: 'region' })

/** Words of the official names of states. */
const OFFICIAL = new Set(
  `administrative america and arab bolivarian britain commonwealth darussalam democratic dutch federal federated federation french grand
  great ireland islamic islands kingdom northern of part peoples plurinational principality region republic socialist special
  state states sultanate the united`.split(/\s+/),
)

/** Whether a title is a code or an English name of the country with this code, perhaps an official one: "Russian Federation". */
export function isNameOfCountry(title: string, code: string): boolean {
  const english = ENGLISH.of(code) ?? ''
  if (countryCodeOf(title) === code || normalisedName(english) === normalisedName(title)) return true
  const name = wordsOf(english)
  const words = wordsOf(title)
  const own = words.filter((word) => !OFFICIAL.has(word))
  // Only official words are left of "United Kingdom" and "United States of America".
  const needed = own.length > 0 ? own : words.filter((word) => !LINKING.has(word))
  return needed.length > 0 && needed.every((word) => name.some((other) => isForm(word, other)))
}

const LINKING = new Set(['america', 'and', 'britain', 'great', 'ireland', 'northern', 'of', 'the'])

const wordsOf = (text: string): string[] =>
  text
    .replaceAll('&', ' and ')
    .replace(/\bSt\./g, 'Saint')
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{M}]+/u)
    .map(normalisedName)
    .filter((word) => word !== '')

/** Whether two words are the same apart from an ending: Syria, Syrian. */
const isForm = (one: string, other: string): boolean =>
  Math.abs(one.length - other.length) <= 1 && (one.startsWith(other) || other.startsWith(one))
