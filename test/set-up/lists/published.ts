import { type ListFile, lines, rows, table } from './list-file.ts'
import { dumps } from './published-dumps.ts'
import { day, file, of, pick, quoted } from './published-rows.ts'
import { defanged, type Listed } from './values.ts'

/** Exports of analysts and their platforms, with each vendor's names of types. */
const exports = (): ListFile[] => {
  const [a, b, c, d] = [of('export a'), of('export b'), of('export c'), of('export d')]
  const pulse = (i: number): [string, Listed] =>
    pick<[string, Listed]>(i, [
      ['FileHash-SHA256', a.sha256(i)],
      ['FileHash-SHA1', a.sha1(i)],
      ['FileHash-MD5', a.md5(i)],
      ['IPv4', a.ip(i)],
      ['domain', a.domain(i)],
      ['hostname', { type: 'domain', value: `www.${a.domain(i).value}` }],
      ['URL', a.url(i)],
      ['CVE', a.cve(i)],
      ['email', a.email(i)],
      ['IPv6', a.ipv6(i)],
      ['CIDR', a.network(i)],
    ])
  const mandiant = (i: number): [string, Listed] =>
    pick<[string, Listed]>(i, [
      ['IPv4 Address', b.ip(i)],
      ['Fully Qualified Domain Name', b.domain(i)],
      ['MD5 Hash', b.md5(i)],
      ['SHA-256 Hash', b.sha256(i)],
      ['Uniform Resource Locator', b.url(i)],
      ['Filename', b.file(i)],
    ])
  const falcon = (i: number): [string, Listed] =>
    pick<[string, Listed]>(i, [
      ['ip_address', c.ip(i)],
      ['hash_md5', c.md5(i)],
      ['hash_sha256', c.sha256(i)],
      ['domain', c.domain(i)],
      ['url', c.url(i)],
      ['file_name', c.file(i)],
      ['mutex_name', { type: 'mutex', value: `Global\\mtx${i}` }],
    ])
  const misp = (i: number): [string, string, readonly Listed[]] =>
    pick<[string, string, readonly Listed[]]>(i, [
      ['filename|md5', `${d.file(i).value}|${d.md5(i).value}`, [d.file(i), d.md5(i)]],
      ['filename|sha256', `${d.file(i).value}|${d.sha256(i).value}`, [d.file(i), d.sha256(i)]],
      ['ip-dst|port', `${d.ip(i).value}|443`, [d.ip(i)]],
      ['domain|ip', `${d.domain(i).value}|${d.ip(i).value}`, [d.domain(i), d.ip(i)]],
      ['url', d.url(i).value, [d.url(i)]],
      ['email-src', d.email(i).value, [d.email(i)]],
      ['mutex', `Local\\session-${i}`, [{ type: 'mutex', value: `Local\\session-${i}` }]],
      ['ja3-fingerprint-md5', d.md5(i).value, [{ type: 'ja3-hash', value: d.md5(i).value }]],
      ['sha1', d.sha1(i).value, [d.sha1(i)]],
      ['vulnerability', d.cve(i).value, [d.cve(i)]],
    ])
  const openioc = (i: number): [string, string, Listed] =>
    pick<[string, string, Listed]>(i, [
      ['FileItem/Md5sum', 'md5', b.md5(i + 100)],
      ['FileItem/Sha256sum', 'string', b.sha256(i + 100)],
      ['PortItem/remoteIP', 'IP', b.ip(i + 100)],
      ['Network/DNS', 'string', b.domain(i + 100)],
      ['FileItem/FileName', 'string', b.file(i + 100)],
    ])
  return [
    file('OTX-pulse.csv', ['Indicator type,Indicator,Description', ...rows((i) => `${pulse(i)[0]},${pulse(i)[1].value},`)], rows((i) => pulse(i)[1])), // biome-ignore format: one row
    file(
      'report-indicators.csv',
      [
        '"Indicator Type","Indicator Value","Associated Malware","Attributed To","Intelligence Report"',
        ...rows((i) => quoted(mandiant(i)[0], mandiant(i)[1], 'LOADER', 'UNC1234', `24-0000${1000 + i}`)),
      ],
      rows((i) => mandiant(i)[1]),
    ),
    file(
      'falcon-indicators.csv',
      [
        'indicator,type,last_updated,malicious_confidence,labels,actors',
        ...rows((i) => `${falcon(i)[1].value},${falcon(i)[0]},170${4_000_000 + i},high,"MaliciousConfidence/High; ThreatType/Targeted",WICKED SPIDER`), // biome-ignore format: one row
      ],
      rows((i) => falcon(i)[1]),
    ),
    file(
      'misp.event.24.csv',
      [
        'uuid,event_id,category,type,value,comment,to_ids,date,object_relation,attribute_tag,object_uuid,object_name,object_meta_category',
        ...rows((i) => `"5f1c0a3e-0000-4000-8000-0000000000${10 + i}",24,"Payload delivery","${misp(i)[0]}","${misp(i)[1]}","",1,1714903${500 + i},"","tlp:green","","",""`), // biome-ignore format: one row
      ],
      rows((i) => misp(i)[2]).flat(),
    ),
    file('openioc-flat.csv', ['Search,Content Type,Content,Condition', ...rows((i) => `${openioc(i)[0]},${openioc(i)[1]},${openioc(i)[2].value},is`)], rows((i) => openioc(i)[2])), // biome-ignore format: one row
    file(
      'shifted.csv',
      [
        'first_observed,last_observed,number_observed,network-traffic:src_ref.value,url:value,file:hashes.MD5,file:name',
        ...rows((i) => `2024-01-0${1 + (i % 9)}T10:00:00.000Z,2024-01-0${1 + (i % 9)}T11:00:00.000Z,1,${c.ip(i + 100).value},${c.url(i + 100).value},${c.md5(i + 100).value},${c.file(i + 100).value}`), // biome-ignore format: one row
      ],
      rows((i) => [c.ip(i + 100), c.url(i + 100), c.md5(i + 100), c.file(i + 100)]).flat(),
    ),
    file(
      'abuse-addresses.csv',
      ['IP,Country Code,Abuse Confidence Score,Last Reported At', ...rows((i) => `${d.ip(i + 200).value},US,100,2024-03-05T10:17:0${i % 9}+00:00`)], // biome-ignore format: one row
      rows((i) => d.ip(i + 200)),
    ),
    file(
      'tweets.csv',
      rows((i) => `${day(i)},researcher${i},url,${a.url(i + 300).value},#phishing #scam,https://social.example/researcher${i}/status/17${i}000`), // biome-ignore format: one row
      rows((i) => a.url(i + 300)),
    ),
  ]
}

/** Tables from spreadsheets and reports, in the languages of their authors. */
const sheets = (): ListFile[] => {
  const [a, b, c] = [of('sheet a'), of('sheet b'), of('sheet c')]
  const german = (i: number): [string, Listed] =>
    pick<[string, Listed]>(i, [
      ['IP-Adresse', a.ip(i)],
      ['Dom\u00e4ne', a.domain(i)],
      ['Pr\u00fcfsumme', a.sha256(i)],
      ['Dateiname', a.file(i)],
      ['URL', a.url(i)],
    ])
  const french = (i: number): [string, Listed] =>
    pick<[string, Listed]>(i, [
      ['Adresse IP', a.ip(i + 100)],
      ['Nom de domaine', a.domain(i + 100)],
      ['Empreinte SHA-256', a.sha256(i + 100)],
    ])
  const mark = (i: number): [string, Listed] =>
    pick<[string, Listed]>(i, [
      ['SHA256', c.sha256(i)],
      ['Domain', c.domain(i)],
      ['IP', c.ip(i)],
      ['URL', c.url(i)],
    ])
  return [
    file(
      'indikatoren.csv',
      ['Typ;Wert;Beschreibung;Erstmals gesehen;Vertrauen', ...rows((i) => `${german(i)[0]};${german(i)[1].value};"Gefunden; siehe Bericht";0${1 + (i % 9)}.03.2024 10:15;0,75`)], // biome-ignore format: one row
      rows((i) => german(i)[1]),
      'windows-1252',
    ),
    file('indicateurs.csv', ['Type;Valeur;Commentaire', ...rows((i) => `${french(i)[0]};${defanged(french(i)[1])};"Serveur de contr\u00f4le"`)], rows((i) => french(i)[1]), 'windows-1252'), // biome-ignore format: one row
    // A spreadsheet cell with one value per line.
    file(
      'several-lines-in-a-cell.csv',
      [
        'Campaign,Domains,IP addresses,Notes',
        ...rows((i) => `Campaign ${i},"${b.domain(i).value}\n${b.domain(i + 100).value}","${defanged(b.ip(i))}\n${defanged(b.ip(i + 100))}","Seen by us,\nand by others"`), // biome-ignore format: one row
      ],
      rows((i) => [b.domain(i), b.domain(i + 100), b.ip(i), b.ip(i + 100)]).flat(),
    ),
    file(
      'README.md',
      ['# Indicators', '', 'Published with our report.', '', '| Type | Indicator | Note |', '|------|:---------:|------|', ...rows((i) => `| ${mark(i)[0]} | \`${defanged(mark(i)[1])}\` | Stage ${i} |`)], // biome-ignore format: one row
      rows((i) => mark(i)[1]),
    ),
    file(
      'names-and-digests.csv',
      ['File Name,SHA-256,Size (bytes),Signed by', ...rows((i) => `"${b.file(i + 200).value}",${b.sha256(i + 200).value},"1,0${10 + i},112",Example Ltd.`)], // biome-ignore format: one row
      rows((i) => [b.file(i + 200), b.sha256(i + 200)]).flat(),
    ),
    file(
      'c2-with-labels.csv',
      ['#,IOC,Context', ...rows((i) => `${i + 1},"C2: ${defanged(b.domain(i + 300))} (${defanged(b.ip(i + 300))})",first stage`)], // biome-ignore format: one row
      rows((i) => [b.domain(i + 300), b.ip(i + 300)]).flat(),
    ),
    file(
      'infection-notes.txt',
      [
        '2024-05-01 (WEDNESDAY): LOADER INFECTION WITH BACKDOOR',
        '',
        'MALWARE/ARTIFACTS:',
        '',
        ...rows((i) => `- SHA256 hash: ${c.sha256(i + 100).value}\n- File size: ${10_000 + i} bytes\n- File name: ${c.file(i + 100).value}\n- File location: ${defanged(c.url(i + 100))}\n`), // biome-ignore format: one row
      ],
      rows((i) => [c.sha256(i + 100), c.file(i + 100), c.url(i + 100)]).flat(),
    ),
  ]
}

/** Lists in the syntax of sensors and firewalls. */
const devices = (): ListFile[] => {
  const [a, b] = [of('device a'), of('device b')]
  const intel = (i: number): [string, string, Listed] =>
    pick<[string, string, Listed]>(i, [
      ['Intel::ADDR', a.ip(i).value, a.ip(i)],
      ['Intel::DOMAIN', a.domain(i).value, a.domain(i)],
      ['Intel::FILE_HASH', a.sha256(i).value, a.sha256(i)],
      ['Intel::EMAIL', a.email(i).value, a.email(i)],
      ['Intel::SUBNET', a.network(i).value, a.network(i)],
      ['Intel::FILE_NAME', a.file(i).value, a.file(i)],
    ])
  const rule = (i: number): string =>
    pick(i, [
      `alert ip [${a.ip(i + 200).value},${a.ip(i + 300).value}] any -> $HOME_NET any (msg:"ET DROP group ${i}"; reference:url,feeds.example/drop; sid:240${1000 + i}; rev:1;)`,
      `alert dns $HOME_NET any -> any any (msg:"C2 ${i}"; dns.query; content:"${a.domain(i + 200).value}"; nocase; sid:250${1000 + i}; rev:1;)`,
    ])
  const ruled = (i: number): readonly Listed[] => pick(i, [[a.ip(i + 200), a.ip(i + 300)], [a.domain(i + 200)]])
  return [
    file('intel.dat', ['#fields\tindicator\tindicator_type\tmeta.source\tmeta.desc\tmeta.url', ...rows((i) => `${intel(i)[1]}\t${intel(i)[0]}\tvendor\tLoader\t-`)], rows((i) => intel(i)[2])), // biome-ignore format: one row
    file('emerging.rules', ['# Rules', '', ...rows(rule)], rows(ruled).flat()),
    lines('routes.txt', (i) => b.ip(i), { write: ({ value }) => `ip route ${value} 255.255.255.255 Null0` }),
    lines('access-list.txt', (i) => b.ip(i + 50), {
      write: ({ value }) => `access-list block deny ip host ${value} any`,
    }),
    lines('iptables.sh', (i) => b.ip(i + 100), {
      header: '#!/bin/sh\niptables -N BLOCKED',
      write: ({ value }) => `iptables -A BLOCKED -s ${value} -j DROP`,
    }),
    lines('mikrotik.rsc', (i) => b.network(i), {
      header: '/ip firewall address-list',
      write: ({ value }) => `add list=blocked address=${value} comment="Drop list" timeout=1d`,
    }),
    lines('.htaccess', (i) => b.ip(i + 150), {
      header: 'Order Allow,Deny\nAllow from all',
      write: ({ value }) => `Deny from ${value}`,
    }),
    file('hosts-many.txt', ['# Title: hosts', ...rows((i) => `0.0.0.0 ${b.domain(i).value} ${b.domain(i + 50).value} # ads`)], rows((i) => [b.domain(i), b.domain(i + 50)]).flat()), // biome-ignore format: one row
    file(
      'db.rpz',
      ['$TTL 60', '@ IN SOA localhost. root.localhost. (2024050501 3600 900 86400 60)', '  IN NS localhost.', ...rows((i) => `${b.domain(i + 100).value} CNAME .\n*.${b.domain(i + 100).value} CNAME .`)], // biome-ignore format: one row
      rows((i) => b.domain(i + 100)),
    ),
    file('edl-urls.txt', rows((i) => pick(i, [`${b.domain(i + 150).value}/`, `*.${b.domain(i + 150).value}`, `${b.domain(i + 150).value}/login/index.html`])), rows((i) => b.domain(i + 150))), // biome-ignore format: one row
    file(
      'block.txt',
      [
        '#',
        '#   Recommended Block List',
        '#   (c) 2024, updated: 05 May 2024 05:05',
        '#',
        'Start\tEnd\tNetblock\tAttacks\tName\tCountry\temail',
        ...rows((i) => `${b.network(i + 100).value.replace('/24', '')}\t${b.network(i + 100).value.replace('.0/24', '.255')}\t24\t${4000 - i}\tNET-${i}\tUS\tabuse@net${i}.example.com`), // biome-ignore format: one row
      ],
      rows((i): Listed[] => [
        { type: 'ipv4', value: b.network(i + 100).value.replace('/24', '') },
        { type: 'ipv4', value: b.network(i + 100).value.replace('.0/24', '.255') },
        { type: 'email', value: `abuse@net${i}.example.com` },
      ]).flat(),
    ),
    file(
      'exit-addresses',
      rows((i) => `ExitNode ${b.sha1(i).value.toUpperCase()}\nPublished ${day(i)}\nLastStatus ${day(i)}\nExitAddress ${b.ip(i + 400).value} ${day(i)}`), // biome-ignore format: one row
      rows((i) => b.ip(i + 400)),
    ),
    table('domains-described.txt', (i) => [b.domain(i + 300), `Domain used by Loader ${i}`, '2024-05-05 05:05', 'http://osint.example/manual.txt'], { header: '## Feed of domains, see http://osint.example/license' }), // biome-ignore format: one row
  ]
}

/** Lists in the layouts of well-known publishers, with their peculiarities. */
export const publishedLists = (): ListFile[] => [...dumps(), ...exports(), ...sheets(), ...devices()]
