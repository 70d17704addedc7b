import { type ListFile, rows } from './list-file.ts'
import { day, file, of, pick, quoted, spaced } from './published-rows.ts'
import type { Listed } from './values.ts'

const BANNER = [
  '################################################################',
  '# Exports of the platform in CSV format                        #',
  '# Last updated: 2024-05-05 05:05:05 UTC                         #',
  '#                                                              #',
  '# Terms Of Use: https://abuse.example/terms/                   #',
  '# For questions please contact feeds@abuse.example             #',
  '################################################################',
  '#',
]

/** Full dumps of malware databases as they are published. */
export const dumps = (): ListFile[] => {
  const a = of('dump')
  const b = of('dump b')
  const typed = (i: number): [Listed, string, string] =>
    pick<[Listed, string, string]>(i, [
      [a.domain(i), 'domain', a.domain(i).value],
      [a.url(i), 'url', a.url(i).value],
      [a.ip(i), 'ip:port', `${a.ip(i).value}:${8000 + i}`],
      [a.sha256(i), 'sha256_hash', a.sha256(i).value],
      [a.md5(i), 'md5_hash', a.md5(i).value],
    ])
  const threats = rows((i) => {
    const [, type, value] = typed(i)
    const reference = type === 'sha256_hash' ? `https://bazaar.example/sample/${value}/` : 'None'
    const tags = 'Loader,c2'
    return spaced(day(i), String(1_270_000 + i), value, type, 'botnet_cc', 'win.loader', 'Ldr,LoadMe', 'Loader', '', '75', 'False', reference, tags, '0', 'someone') // biome-ignore format: one row
  })
  const sampleHeader =
    '# "first_seen_utc","sha256_hash","md5_hash","sha1_hash","reporter","file_name","file_type_guess","mime_type","signature","clamav","vtpercent","imphash","ssdeep","tlsh"'
  const imphash = (i: number): Listed => ({ type: 'hash-imphash', value: b.md5(i + 500).value })
  const ssdeep = (i: number): Listed => ({
    type: 'hash-ssdeep',
    value: `${3 * 2 ** ((i % 12) + 4)}:Qk3bXh${i}Vb9t4zLwqZ0aY7Rk:Wp8${i}Qd1fXcJ5vT`,
  })
  const tlsh = (i: number) =>
    `T1${b.sha256(i + 700).value.toUpperCase()}${b
      .sha256(i + 700)
      .value.slice(0, 6)
      .toUpperCase()}`
  const samples = rows(
    (i) =>
    spaced(day(i), b.sha256(i), b.md5(i), b.sha1(i), 'someone', b.file(i), 'exe', 'application/x-dosexec', i % 2 ? 'Loader' : 'n/a', 'n/a', i % 3 ? '43.66' : 'n/a', imphash(i), ssdeep(i), tlsh(i)), // biome-ignore format: one row
  )
  return [
    file(
      'full_threats.csv',
      [
        ...BANNER,
        '# "first_seen_utc","ioc_id","ioc_value","ioc_type","threat_type","fk_malware","malware_alias","malware_printable","last_seen_utc","confidence_level","is_compromised","reference","tags","anonymous","reporter"',
        ...threats,
        `# Number of entries: ${threats.length}`,
      ],
      rows((i) => typed(i)[0]),
    ),
    file(
      'full_samples.csv',
      [...BANNER, sampleHeader, ...samples],
      rows((i) => [b.sha256(i), b.md5(i), b.sha1(i), b.file(i), imphash(i), ssdeep(i)]).flat(),
    ),
    file(
      'ja3_fingerprints.csv',
      [...BANNER, '# ja3_md5,Firstseen,Lastseen,Listingreason', ...rows((i) => `${b.md5(i + 900).value},${day(i)},${day(i + 1)},Loader`)], // biome-ignore format: one row
      rows((i) => ({ type: 'ja3-hash', value: b.md5(i + 900).value })),
    ),
    file(
      'sslipblacklist.csv',
      [
        ...BANNER,
        '# Firstseen,DstIP,DstPort',
        ...rows((i) => `${day(i)},${b.ip(i).value},${443 + i}`),
        '# END 25 entries',
      ],
      rows((i) => b.ip(i)),
    ),
    // Most hosts in such lists are addresses without a name.
    file(
      'urls_recent.csv',
      [
        ...BANNER,
        '# id,dateadded,url,url_status,last_online,threat,tags,urlhaus_link,reporter',
        ...rows(
          (i) =>
          quoted(String(2_900_000 - i), day(i), `http://${b.ip(i + 100).value}:3${4000 + i}/Mozi.m`, 'online', day(i), 'malware_download', i % 3 ? 'elf,Mozi' : '', `https://urls.example/url/${2_900_000 - i}/`, 'lrz'), // biome-ignore format: one row
        ),
      ],
      rows((i) => [b.ip(i + 100), { type: 'uri', value: `http://${b.ip(i + 100).value}:3${4000 + i}/Mozi.m` }]).flat(),
    ),
  ]
}
