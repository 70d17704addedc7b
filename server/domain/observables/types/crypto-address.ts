import { createHash } from 'node:crypto'
import type { ObservableDefinition } from '../definition.ts'

export const cryptoAddress = {
  type: 'crypto-address',
  form: 'an address of a cryptocurrency with the right checksum',
  maximum: 160,
  normalise: cryptoAddressOf,
  looks: [
    { order: 330, test: /^(?:0x[\da-f]{40}|(?:bc|ltc|tb)1[a-z\d]{11,87}|[13LMDTr][1-9A-HJ-NP-Za-km-z]{24,33})$/i },
  ],
  examples: {
    good: [
      ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
      ['bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
      ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
      [
        'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
        'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      ],
      ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
      ['0x00000000219ab540356cBB839Cbe05303d7705Fa', '0x00000000219ab540356cbb839cbe05303d7705fa'],
      [`4${'A1'.repeat(47)}`, `4${'A1'.repeat(47)}`],
      ['F'.repeat(64), 'f'.repeat(64)],
    ],
    bad: [
      '',
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8F3T4',
      'bc1bbbbbbbbbbbb',
      '0x1234',
      'bitcoin:bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      'not an address at all 1',
    ],
  },
} as const satisfies ObservableDefinition

const BITCOIN = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const RIPPLE = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz'
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** The one spelling of an address: its checksum verified where it has one, in lower case where case says nothing. */
function cryptoAddressOf(text: string): string | undefined {
  const address = text.replace(/^(?:bitcoin|dogecoin|ethereum|litecoin|monero):/i, '')
  // Ethereum writes a checksum into the case of the letters; wallets take the address without it.
  if (/^(?:0x)?(?:[\da-f]{40}|[\da-f]{64})$/i.test(address)) return address.toLowerCase()
  if (/^(?:bc|bcrt|ltc|tb)1[a-z\d]{6,87}$/i.test(address)) return segwitOf(address)
  if (/^[1-9A-HJ-NP-Za-km-z]{25,34}$/.test(address)) return hasChecksum(address) ? address : undefined
  const isPlausible = /^(?:(?:bitcoincash|ecash|kaspa):)?[\w-]{20,128}$/.test(address) && /\d/.test(address)
  return isPlausible ? address : undefined
}

/** Base58Check: the last four bytes are the beginning of the double digest of the others. */
function hasChecksum(address: string): boolean {
  return [BITCOIN, RIPPLE].some((alphabet) => {
    const bytes = base58(address, alphabet)
    const digest = sha256(sha256(bytes.subarray(0, -4)))
    return bytes.length > 4 && digest.subarray(0, 4).equals(bytes.subarray(-4))
  })
}

function base58(text: string, alphabet: string): Buffer {
  const number = [...text].reduce((sum, character) => sum * 58n + BigInt(alphabet.indexOf(character)), 0n)
  const digits = number.toString(16)
  const zeros = [...text].findIndex((character) => character !== alphabet[0])
  return Buffer.concat([
    Buffer.alloc(Math.max(zeros, 0)),
    Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex'),
  ])
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

/** Bech32 and Bech32m (BIP 173, BIP 350): all capitals are allowed, a mixture is not. */
function segwitOf(text: string): string | undefined {
  const address = text.toLowerCase()
  if (text !== address && text !== text.toUpperCase()) return undefined
  const separator = address.indexOf('1')
  const prefix = [...address.slice(0, separator)].map((character) => character.charCodeAt(0))
  const data = [...address.slice(separator + 1)].map((character) => BECH32.indexOf(character))
  if (data.includes(-1)) return undefined
  const values = [...prefix.map((code) => code >> 5), 0, ...prefix.map((code) => code & 31), ...data]
  return [1, 0x2bc830a3].includes(polymod(values)) ? address : undefined
}

function polymod(values: readonly number[]): number {
  const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
  return values.reduce((checksum, value) => {
    const top = checksum >> 25
    return generator.reduce(
      (next, term, i) => ((top >> i) & 1 ? next ^ term : next),
      ((checksum & 0x1ffffff) << 5) ^ value,
    )
  }, 1)
}
