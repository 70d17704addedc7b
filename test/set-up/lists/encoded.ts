import { type ListFile, lines, rows, table } from './list-file.ts'
import { invented, type Listed } from './values.ts'

/** Words for a remark in a language, and the encodings still used for that language. */
const REMARKS: readonly (readonly [encoding: string, remark: string])[] = [
  ['windows-1252', 'Schädlicher Server für Köln’s Büro'],
  ['windows-1250', 'Złośliwe oprogramowanie, żądło'],
  ['windows-1251', 'Вредоносный сервер управления'],
  ['koi8-r', 'Вредоносный сервер управления'],
  ['windows-1253', 'κακόβουλο λογισμικό'],
  ['windows-1254', 'Kötü amaçlı yazılım şüpheli ağ'],
  ['windows-1256', 'برمجيات خبيثة على الشبكة'],
  ['gb18030', '恶意软件控制服务器'],
  ['big5', '惡意軟體的控制伺服器'],
  ['shift_jis', 'マルウェアの通信先サーバ'],
  ['euc-kr', '악성코드 명령제어 서버'],
  ['utf-16le', 'Вредоносный сервер'],
  ['utf-16be', '恶意软件控制服务器'],
  ['utf-16le-bom', 'Serveur malveillant é'],
  ['utf-8-bom', 'マルウェア'],
]

/** The remark for files in an encoding. */
export const remarkIn = (encoding: string): string => REMARKS.find(([each]) => each === encoding)?.[1] ?? ''

/** The same few layouts in many encodings. */
export const encodedLists = (): ListFile[] =>
  REMARKS.flatMap(([encoding, remark], n) => {
    const own = invented(`encoded ${encoding}`)
    const kinds: readonly ((i: number) => Listed)[] = [own.domain, own.ip, own.url, own.sha256]
    const kind = kinds[n % kinds.length] ?? own.domain
    return [
      table(`remarks-${encoding}.csv`, (i) => [kind(i), `"${remark} ${i}"`], { header: 'indicator,remark', encoding }),
      n % 2
        ? lines(`list-${encoding}.txt`, (i) => own.md5(i), { header: `# ${remark}`, encoding })
        : {
            name: `list-${encoding}.txt`,
            text: [`# ${remark}`, ...rows((i) => own.sha1(i).value)].join('\r\n'),
            indicators: rows((i) => own.sha1(i)),
            encoding,
          },
    ]
  })
