import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from '../../../test/set-up/lists/encode.ts'
import { documentOf } from '../document.ts'
import { decodedText, encodingOf, encodingOfBytes } from './encoding.ts'

const TEXTS: readonly (readonly [encoding: string, text: string])[] = [
  ['windows-1252', 'bad.example,café résumé naïve'],
  ['windows-1252', 'bad.example,“quoted” – dash'],
  ['windows-1252', 'España señal corazón'],
  ['windows-1250', 'čeština řeka žlutý'],
  ['windows-1250', 'Złośliwe oprogramowanie'],
  ['windows-1251', 'bad.example,Фишинг'],
  ['koi8-r', 'Вредоносный сервер управления'],
  ['ibm866', 'Вредоносный сервер управления'],
  ['windows-1253', 'κακόβουλο λογισμικό'],
  ['windows-1254', 'Kötü amaçlı yazılım şüpheli ağ'],
  ['windows-1255', 'תוכנה זדונית'],
  ['windows-1256', 'برمجيات خبيثة'],
  ['windows-1257', 'ļaunprātīga programmatūra'],
  ['windows-874', 'มัลแวร์เรียกค่าไถ่'],
  ['gb18030', 'bad.example,钓鱼网站'],
  ['shift_jis', 'bad.example,不正な通信'],
  ['big5', 'bad.example,釣魚網站'],
  ['euc-kr', 'bad.example,악성코드'],
  ['euc-jp', 'マルウェアの通信先サーバ'],
  ['utf-16le', 'domain,note\nbad.example,x'],
  ['utf-16be', '域名,描述\nbad.example,恶意软件'],
  ['utf-8', 'домен 域名'],
]

for (const [encoding, text] of TEXTS) {
  test(`${JSON.stringify(text)} is decoded as ${encoding}`, async () => {
    const bytes = encode(text, encoding)
    assert.equal(encodingOfBytes(bytes), encoding)
    const document = documentOf(bytes)
    assert.equal(await encodingOf(document), encoding)
    assert.equal((await Array.fromAsync(decodedText(document, encoding))).join(''), text)
  })
}

test('letters far behind plain text determine the encoding, and chunks of any size give the same result', async () => {
  const bytes = Buffer.concat([
    Buffer.from('bad.example,x\n'.repeat(20_000)),
    encode('worse.example,Вредоносный сервер\n', 'windows-1251'),
  ])
  for (const size of [7, 4_096, bytes.length]) {
    const document = {
      ...documentOf(bytes),
      async *open() {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
      },
    }
    assert.equal(await encodingOf(document), 'windows-1251')
  }
})

test('any bytes are decoded, and a stray zero does not indicate a wide encoding', () => {
  for (let byte = 0; byte < 256; byte++)
    assert.ok(new TextDecoder(encodingOfBytes(Buffer.from([byte, 255 - byte, 0x41]))))
  assert.equal(encodingOfBytes(Buffer.from('a\nb\0c')), 'utf-8')
})

test('a letter whose bytes span two chunks is decoded correctly', async () => {
  const text = 'домен,域名 😀'
  for (const encoding of ['utf-8', 'utf-16le'] as const) {
    const bytes = Buffer.from(text, encoding)
    const document = {
      ...documentOf(bytes),
      async *open() {
        for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1)
      },
    }
    assert.equal((await Array.fromAsync(decodedText(document, encoding))).join(''), text)
  }
})
