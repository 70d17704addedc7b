import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, entitiesOf, processed } from '../../../test/set-up/processing.ts'

const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')

/** Texts with observables of many kinds, also in places that are searched apart. */
const TEXTS: Readonly<Record<string, string>> = {
  prose: `A report\n\nOn 3 March hxxps://login[.]evil-bank[.]com/a/b.php?id=1 was seen. It dropped C:\\Users\\Public\\run.exe (MD5
d41d8cd98f00b204e9800998ecf8427e) and asked 203.0.113[.]7:8443. Mails came from boss(at)evil-bank[.]com. CVE-2021-44228.`,
  table: lines(200, (i) => `${i}\t198.51.100.${i % 250}\thost${i}.evil-bank.com\t${i.toString(16).padStart(40, 'a')}`),
  marks:
    'Title\r\n\r\nevil\u0007-bank.com\r\n\u001bsee 2001:db8::7, evil-bank.com\rand\r\nbc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq\ud800',
  nothing: 'Nothing to see.',
  'in a thread': `${'Words without any meaning. '.repeat(5_000)}\nhttps://late.evil-bank.com/x and 203.0.113.99\n`,
  'in parts': `${lines(5_000, (i) => `Line ${i} of a long report names h${i % 700}.evil-bank.com once more.`)}`,
}

for (const [name, text] of Object.entries(TEXTS))
  test(`text analysis finds the observables of an import: ${name}`, async () => {
    const { file, run } = await processed('report.txt', text)
    // A description that is too long is a warning.
    assert.match(run.state, /^(SUCCESS|WARNING)$/, JSON.stringify(run))
    const [report = ''] = await entitiesOf(file)
    const { body } = await corvus.call('GET', `observables?filter[entities]=${report}&limit=1000&attributes=type,value`)
    const analysed = await corvus.call('POST', 'text-analysis', { data: { text: text } })
    assert.equal(analysed.status, 200, JSON.stringify(analysed.body))
    const keysOf = (all: readonly { type: string; value: string }[]) =>
      all.map(({ type, value }) => `${type} ${value}`).sort()
    assert.deepEqual(keysOf(analysed.body.data.observables), keysOf(body.data))
    assert.equal(body.data.length === 0, name === 'nothing')
  })
