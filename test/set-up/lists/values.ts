import { createHash } from 'node:crypto'

/** An indicator in a list, in the spelling of the platform. */
export interface Listed {
  readonly type: string
  readonly value: string
}

const digest = (algorithm: string, seed: string): string => createHash(algorithm).update(seed).digest('hex')

/** Invented indicators: the same seed gives the same ones, and no two seeds share any. */
export function invented(seed: string) {
  const number = (i: number, below: number) => Number.parseInt(digest('md5', `${seed} ${i}`).slice(0, 8), 16) % below
  const word = (i: number) => `${WORDS[number(i, WORDS.length)]}-${digest('md5', `${seed} word ${i}`).slice(0, 6)}`
  return {
    md5: (i: number): Listed => ({ type: 'hash-md5', value: digest('md5', `${seed} a ${i}`) }),
    sha1: (i: number): Listed => ({ type: 'hash-sha1', value: digest('sha1', `${seed} b ${i}`) }),
    sha256: (i: number): Listed => ({ type: 'hash-sha256', value: digest('sha256', `${seed} c ${i}`) }),
    sha512: (i: number): Listed => ({ type: 'hash-sha512', value: digest('sha512', `${seed} d ${i}`) }),
    domain: (i: number): Listed => ({ type: 'domain', value: `${word(i)}.${ENDINGS[number(i, ENDINGS.length)]}` }),
    ip: (i: number): Listed => ({
      type: 'ipv4',
      value: [20 + number(i, 170), number(i + 7_000, 256), number(i + 8_000, 256), 1 + number(i + 9_000, 254)].join(
        '.',
      ),
    }),
    network: (i: number): Listed => ({
      type: 'ipv4-cidr',
      value: `${20 + number(i, 170)}.${number(i + 5_000, 256)}.${i % 256}.0/24`,
    }),
    ipv6: (i: number): Listed => ({
      type: 'ipv6',
      value: `2001:db8:${(number(i, 65_000) + 1).toString(16)}::${(i + 1).toString(16)}`,
    }),
    url: (i: number): Listed => ({
      type: 'uri',
      value: `http${i % 2 ? 's' : ''}://${word(i + 40_000)}.${ENDINGS[number(i, ENDINGS.length)]}/${word(i + 50_000)}/gate.php?id=${i}`,
    }),
    email: (i: number): Listed => ({ type: 'email', value: `billing${i}@${word(i + 60_000)}.com` }),
    file: (i: number): Listed => ({
      type: 'file',
      value: `${word(i + 70_000)}.${['exe', 'dll', 'docm', 'lnk', 'js'][i % 5]}`,
    }),
    cve: (i: number): Listed => ({ type: 'cve', value: `CVE-20${10 + number(i, 15)}-${1_000 + number(i, 30_000)}` }),
  }
}

/** A value defanged as in reports. */
export const defanged = ({ type, value }: Listed): string => {
  if (type === 'uri') return value.replace(/^http/, 'hxxp').replace(/(?<=:\/\/[^/]*)\.(?=[^/]*(?:\/|$))/g, '[.]')
  return type === 'domain' || type === 'ipv4' ? value.replaceAll('.', '[.]') : value
}

const WORDS =
  'login secure update cdn mail portal invoice account verify cloud static media office drive bank support'.split(' ')
const ENDINGS = ['com', 'net', 'org', 'ru', 'info', 'top', 'xyz', 'co.uk', 'com.br', 'online']
