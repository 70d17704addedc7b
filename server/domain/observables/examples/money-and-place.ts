import type { ObservableType } from '../types.ts'
import type { Examples } from './form.ts'

/** Money and places. */
export const moneyAndPlaceExamples = {
  'bank-account': {
    good: [
      ['gb82 west 1234 5698 7654 32', 'GB82WEST12345698765432'],
      ['IBAN: DE89-3704-0044-0532-0130-00', 'DE89370400440532013000'],
      ['19-2000145399/0800', '192000145399/0800'],
      ['12345678', '12345678'],
    ],
    bad: ['', 'GB83WEST12345698765432', '123', 'account', '1234;5678', '1'.repeat(35)],
  },
  card: {
    good: [
      ['4111111111111111', '4111111111111111'],
      ['4111 1111-1111 1111', '4111111111111111'],
      ['378282246310005', '378282246310005'],
    ],
    bad: ['', '4111111111111112', '42', '0000000000000000', '4111x1111x1111x1111', '41111111111111111111'],
  },
  'country-code': {
    good: [
      ['NL', 'NL'],
      [' nl ', 'NL'],
      ['xk', 'XK'],
      ['uk', 'GB'],
    ],
    bad: ['', 'N', 'NLD', 'ZZ', 'XX', '31', 'Netherlands'],
  },
  'crypto-address': {
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
  geo: {
    good: [
      ['52.37,4.89', '52.37,4.89'],
      ['+52.370 ; -04.8900', '52.37,-4.89'],
      ['geo:0 -0.0', '0,0'],
      ['-90,180', '-90,180'],
    ],
    bad: ['', '52.37', '52.37,4.89,1', '91,0', '0,181', 'a,b', ',', '52,37,4,89'],
  },
  'geo-lat': {
    good: [
      ['52.3700', '52.37'],
      ['-0', '0'],
      ['+090.', '90'],
      ['\u22121.5\u00b0', '-1.5'],
    ],
    bad: ['', '90.1', '-90.00000000000000001', '91', '1e1', 'N 52', '1,5', 'NaN'],
  },
  'geo-long': {
    good: [
      ['4.89', '4.89'],
      ['-180.0', '-180'],
      ['100', '100'],
    ],
    bad: ['', '180.5', '-181', 'E4', '0x10'],
  },
  postcode: {
    good: [
      ['1012 js', '1012 JS'],
      ['SW1A  1AA', 'SW1A 1AA'],
      ['90210\u20131234', '90210-1234'],
    ],
    bad: ['', '1', '1012_JS', '-1012', '1012 - JS', 'x'.repeat(17)],
  },
  telephone: {
    good: [
      ['+31 20 123 4567', '+31201234567'],
      ['0031 (20) 123-4567', '+31201234567'],
      ['+44 (0)20 7946 0958', '+442079460958'],
      ['020/123.45.67 ext. 12', '0201234567;ext=12'],
      ['tel:+1-202-555-0100;ext=5', '+12025550100;ext=5'],
      ['112', '112'],
    ],
    bad: ['', '12', '+0123456', 'phone', '+31 20 CALL ME', '1234567890123456', '++31201234567', '*#06#'],
  },
} as const satisfies Partial<Record<ObservableType, Examples>>
