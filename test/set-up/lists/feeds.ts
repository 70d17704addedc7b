import { type ListFile, lines, rows, table } from './list-file.ts'
import { defanged, invented } from './values.ts'

const of = (name: string) => invented(`feed ${name}`)
const day = (i: number): string => `2024-0${1 + (i % 9)}-1${i % 9} 0${i % 9}:15:0${i % 9}`
const quoted = ({ value }: { readonly value: string }): string => `"${value}"`

const COMMENTS =
  '################\n# Dump of the database, see https://feeds.example/terms\n# Last updated: 2024-05-05 05:05:05 (UTC)\n#'

/** Lists that are fetched every few minutes: block lists, database dumps, filters. */
export const feedLists = (): ListFile[] => {
  const a = of('a')
  const b = of('b')
  return [
    table(
      'threats-recent.csv',
      (i) => [
        `"${day(i)}"`,
        ` "${i}"`,
        a.url(i),
        ' "url"',
        ' "payload_delivery"',
        ' "win.loader"',
        ' "75"',
        ' "loader,exe"',
      ],
      {
        header: `${COMMENTS}\n# "first_seen_utc","ioc_id","ioc_value","ioc_type","threat_type","fk_malware","confidence_level","tags"`,
        write: ({ value }) => ` "${value}"`,
      },
    ),
    {
      name: 'threats-ports.csv',
      text: [
        `${COMMENTS}\n# "first_seen_utc","ioc_id","ioc_value","ioc_type","threat_type"`,
        ...rows((i) => `"${day(i)}", "${i}", "${a.ip(i).value}:${4000 + i}", "ip:port", "botnet_cc"`),
      ].join('\r\n'),
      indicators: rows((i) => a.ip(i)),
    },
    table(
      'urls-online.csv',
      (i) => [
        `"${i}"`,
        `"${day(i)}"`,
        a.url(i + 100),
        '"online"',
        '"malware_download"',
        '"elf,mirai"',
        `"https://feeds.example/url/${i}/"`,
        '"reporter"',
      ],
      {
        header: `${COMMENTS}\n# id,dateadded,url,url_status,threat,tags,urlhaus_link,reporter`,
        write: quoted,
        end: '\r\n',
      },
    ),
    table('botnets.csv', (i) => [`"${day(i)}"`, a.ip(i + 200), `"${440 + i}"`, '"online"', '"2024-05-05"', '"Emo"'], {
      header: `${COMMENTS}\n"first_seen_utc","dst_ip","dst_port","c2_status","last_online","malware"`,
      write: quoted,
    }),
    table(
      'samples.csv',
      (i) => [`"${day(i)}"`, a.sha256(i), a.md5(i), a.sha1(i), '"reporter"', '"exe"', '"application/x-dosexec"'],
      {
        header: `${COMMENTS}\n# "first_seen_utc","sha256_hash","md5_hash","sha1_hash","reporter","file_type_guess","mime_type"`,
        write: quoted,
      },
    ),
    table('certificates.csv', (i) => [day(i), { type: 'hash-sha1', value: a.sha1(i + 300).value }, 'C2'], {
      header: `${COMMENTS}\n# Listingdate,SHA1,Listingreason`,
    }),
    table(
      'phishing.csv',
      (i) => [
        String(8_000_000 + i * 3),
        a.url(i + 300),
        `http://check.example/detail.php?id=${i}`,
        day(i),
        'yes',
        'Other',
      ],
      {
        header: 'phish_id,url,phish_detail_url,submission_time,verified,target',
      },
    ),
    lines('openphish.txt', (i) => a.url(i + 400)),
    lines('addresses.ipset', (i) => a.ip(i + 400), {
      header: '#\n# list_of_attackers\n#\n# Maintainer URL  : http://lists.example/\n#',
    }),
    lines('networks.netset', (i) => a.network(i), { header: '# ipv4 hash:net ipset\n#' }),
    table('drop.txt', (i) => [a.network(i + 60), `SBL${i}`], {
      header: '; Drop List 2024/05/05\n; https://www.lists.example/drop/',
      delimiter: ' ; ',
    }),
    table('scored.txt', (i) => [b.ip(i), String(10 - (i % 9))], { header: '# IP\tscore', delimiter: '\t' }),
    lines('hosts.txt', (i) => b.domain(i), {
      header: '# Hosts\n127.0.0.1 localhost\n::1 localhost',
      write: ({ value }) => `0.0.0.0 ${value}`,
    }),
    lines('hosts-with-remarks', (i) => b.domain(i + 50), { write: ({ value }) => `127.0.0.1\t${value}` }),
    lines('adblock.txt', (i) => b.domain(i + 100), {
      header: '! Title: Filter\n! Homepage: https://lists.example',
      write: ({ value }) => `||${value}^`,
    }),
    lines('adblock-options.txt', (i) => b.domain(i + 150), { write: ({ value }) => `||${value}^$third-party,popup` }),
    lines('dnsmasq.conf', (i) => b.domain(i + 200), { write: ({ value }) => `address=/${value}/0.0.0.0` }),
    lines('unbound.conf', (i) => b.domain(i + 250), { write: ({ value }) => `local-zone: "${value}" always_nxdomain` }),
    lines('zone.rpz', (i) => b.domain(i + 300), { write: ({ value }) => `${value} CNAME .` }),
    lines('wildcards.txt', (i) => b.domain(i + 350), { write: ({ value }) => `*.${value}` }),
    lines('trails.txt', (i) => b.domain(i + 400), {
      header: '# Copyright\n\n# Reference: https://blog.example/post\n',
    }),
    lines('ipv6.txt', (i) => b.ipv6(i)),
    {
      name: 'with-ports.txt',
      text: rows((i) => `${b.ip(i + 100).value}:${8000 + i}`).join('\n'),
      indicators: rows((i) => b.ip(i + 100)),
    },
    {
      name: 'blocked.rules',
      text: rows(
        (i) =>
          `alert tcp $HOME_NET any -> [${b.ip(i + 200).value}] any (msg:"Known bad ${i}"; sid:${1000 + i}; rev:1;)`,
      ).join('\n'),
      indicators: rows((i) => b.ip(i + 200)),
    },
    lines('one-per-line.csv', (i) => b.sha256(i)),
    lines('bullets.txt', (i) => b.domain(i + 450), { header: 'DOMAINS:', write: (listed) => `- ${defanged(listed)}` }),
    table(
      'misp.csv',
      (i) => [`"${i}"`, '"12"', '"Network activity"', '"ip-dst"', b.ip(i + 300), '"C2"', '"1"', '"20240505"'],
      {
        header: 'uuid,event_id,category,type,value,comment,to_ids,date',
        write: quoted,
      },
    ),
    table('sha256sum.txt', (i) => [b.sha256(i + 100), b.file(i)], { delimiter: '  ' }),
  ]
}
