import { type ListFile, lines, rows, table } from './list-file.ts'
import { defanged, invented } from './values.ts'

const of = (name: string) => invented(`vendor ${name}`)
const quoted = (cells: readonly string[]): string => cells.map((cell) => `"${cell}"`).join(',')
const day = (i: number): string => `2024-0${1 + (i % 9)}-1${i % 9} 0${i % 9}:15:0${i % 9}`

/** Tables as vendors publish them with their reports. */
export const vendorLists = (): ListFile[] => {
  const [a, b, c, d, e, f] = [of('a'), of('b'), of('c'), of('d'), of('e'), of('f')]
  return [
    table(
      'indicator-data-note.csv',
      (i) => (i % 3 ? ['sha256', a.sha256(i), 'Loader'] : ['domain', a.domain(i), 'C2 server']),
      { header: 'Indicator,Data,Note' },
    ),
    table('indicator-type-data-notes.csv', (i) => ['file_path_name', a.file(i), 'Dropped by the loader'], {
      header: 'Indicator_type,Data,Notes',
      encoding: 'utf-8-bom',
    }),
    table('host-and-md5.csv', (i) => (i % 2 ? ['Host', b.domain(i)] : ['MD5', b.md5(i)])),
    table('url-and-sha256.csv', (i) => (i % 2 ? ['URL', b.url(i)] : ['SHA256', b.sha256(i)]), { write: defanged }),
    table('value-type-notes.csv', (i) => [c.ip(i), 'ipaddress', `"Scans for the flaw, often"`], {
      header: 'value,type,notes',
    }),
    table('value-entity-type.csv', (i) => [c.domain(i), 'hostname', 'Fake site'], {
      header: 'value,entity_type,description',
      encoding: 'utf-8-bom',
    }),
    {
      name: 'three-digests-in-a-cell.csv',
      text: [
        'value,entity_type,description',
        ...rows((i) => `"${d.sha256(i).value},${d.sha1(i).value},${d.md5(i).value}",file,Sample ${i}`),
      ].join('\n'),
      indicators: rows((i) => [d.sha256(i), d.sha1(i), d.md5(i)]).flat(),
    },
    table(
      'type-indicator-description.csv',
      (i) => ['SHA-256', d.sha256(i + 100), { type: 'file', value: `invoice_${i}.js` }],
      {
        header: 'Type,Indicator,Description',
      },
    ),
    table('date-type-indicator.csv', (i) => ['2020-05-07', 'Domain', e.domain(i), 'Domain C2'], {
      header: 'Date,Type,Indicator,Description',
    }),
    table(
      'many-columns.csv',
      (i) => [e.sha256(i), e.sha1(i), e.md5(i), `2019.4.${5200 + i}.9083`, day(i), 'application/x-dosexec', 'LOADER'],
      {
        header: 'SHA256,SHA1,MD5,Version,Compile Time,MIME,Malware Family',
      },
    ),
    table('versions-like-addresses.csv', (i) => [f.md5(i), `1.2.${i}.4`, 'Updater'], { header: 'md5,version,product' }),
    table(
      'ioc-valid-link.csv',
      (i) => [
        f.domain(i),
        '2023-06-20T00:00:00Z',
        '2023-08-20T00:00:00Z',
        `https://portal.vendor.example/objects/${i}`,
      ],
      {
        header: 'IOC,Valid From,Valid Until,Link',
        write: defanged,
      },
    ),
    table('domain-name-ip-address.csv', (i) => [f.domain(i + 100), f.ip(i)], {
      header: 'domain_name,ip_address',
      write: ({ value }) => `"${value}"`,
    }),
    table('hashes-with-times.csv', (i) => [day(i), a.sha256(i + 200)]),
    table('no-header.csv', (i) => [a.domain(i + 200), 'phishing']),
    { name: 'one-line.csv', text: `${a.sha256(900).value}`, indicators: [a.sha256(900)] },
    { name: 'one-row.csv', text: `MD5,${a.md5(901).value}\n`, indicators: [a.md5(901)] },
    table('upper-case.csv', (i) => ['MD5', b.md5(i + 300), 'Sample'], {
      header: 'Hash Type,Hash,Comment',
      write: ({ value }) => value.toUpperCase(),
    }),
    table('semicolons.csv', (i) => [c.domain(i + 300), '80', '"Panel; login"'], {
      header: 'Domain;Score;Remark',
      delimiter: ';',
    }),
    table('tabs.tsv', (i) => [c.ip(i + 300), 'scanner', '2024-01-05'], {
      header: 'ip\tcategory\tdate',
      delimiter: '\t',
    }),
    table('bars.txt', (i) => [c.url(i + 300), ' botnet '], { header: 'url|threat', delimiter: '|' }),
    table('excel.csv', (i) => [d.ip(i + 300), 'Brute force'], {
      header: 'sep=;\r\nAddress;Reason',
      delimiter: ';',
      end: '\r\n',
    }),
    table('tags-and-scores.csv', (i) => [d.url(i + 300), '"phishing,bank"', String(i * 4), 'TLP:GREEN'], {
      header: 'url,tags,confidence,tlp',
    }),
    table('imphash.csv', (i) => [e.sha256(i + 300), { ...e.md5(i + 300), type: 'hash-imphash' }], {
      header: 'sha256,imphash',
    }),
    table('files.csv', (i) => [e.sha256(i + 400), e.file(i + 400)], { header: 'sha256,File Name' }),
    table('unquoted-commas.csv', (i) => ['sha256', e.sha256(i + 500), i % 4 ? 'Loader' : 'Loader, packed, signed'], {
      header: 'indicator,data,note',
    }),
    {
      name: 'with-a-title.csv',
      text: [
        'Indicators of the campaign',
        '',
        'Type,Value,Comment',
        ...rows((i) => `ipv4,${f.ip(i + 500).value},Server`),
      ].join('\n'),
      indicators: rows((i) => f.ip(i + 500)),
    },
    table('counted.csv', (i) => [String(i + 1), f.domain(i + 600)], { header: 'No,Domain' }),
    table('several-addresses.csv', (i) => ['Server', f.ip(i + 700)], {
      header: 'Name,Addresses',
      write: ({ value }) => `"${value}, ${value}"`,
    }),
    lines('words-above.txt', (i) => f.sha256(i + 800), { header: 'Hashes' }),
    lines('digests.md5', (i) => f.md5(i + 800), { end: '\r\n' }),
    table('mails.csv', (i) => [a.email(i), `Invoice ${i}`], { header: 'sender,subject' }),
    table('flaws.csv', (i) => [b.cve(i), 'exploited', day(i)], { header: 'cve,status,first_seen' }),
    table('quoted.csv', (i) => [`"fil${i}"`, b.sha256(i + 600), '"2009-08-05 17:05:20"', `"module${i}"`], {
      header: quoted(['File', 'Hash', 'Date', 'Section']),
      write: ({ value }) => `"${value}"`,
    }),
  ]
}
