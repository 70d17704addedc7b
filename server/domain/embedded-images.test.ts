import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { embeddedAttachments } from './embedded-images.ts'

const ID = '0d8a3c53-1d5b-4f0e-9c4e-6a4f5c3b2a10'
const OTHER = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d'
const PATH = `/api/v2/entities/attachments/${ID}/download`
const ELSEWHERE = `/api/v2/entities/attachments/${OTHER}/download`
const MEGABYTE = 1_000_000

const isFound = (text: string): void => assert.deepEqual(embeddedAttachments(text), [ID], text)
const isNotFound = (text: string): void => assert.deepEqual(embeddedAttachments(text), [], text)
const encodeAll = (text: string, encode: (code: number) => string): string =>
  [...text].map((character) => encode(character.charCodeAt(0))).join('')
const percent = (code: number): string => `%${code.toString(16).padStart(2, '0')}`

test('an image in HTML is found in every spelling of its tag', () => {
  for (const text of [
    `<p>before <img src="${PATH}"> after</p>`,
    `<img src='${PATH}'>`,
    `<img src=${PATH}>`,
    `<IMG ALT="a > b" SRC="${PATH}" />`,
    `<img\n  width=3\n  src\n=\n"${PATH}"\n>`,
    `<img/src=${PATH}>`,
    `<img alt=a<b src="${PATH}">`,
    `<img alt="'" title='"'src="${PATH}">`,
    `<img src="${PATH}"`,
    `<b<img src="${PATH}">`,
    `<b x=<img src="${PATH}">`,
    `<b title="<img src='${PATH}'>`,
    `1 < 2 <b " and <img src="${PATH}">`,
    `<img srcset="/small.png 1x, ${PATH} 2x">`,
    `<picture><source media="print" srcset="${PATH}"></picture>`,
    `<svg><image href="${PATH}"/></svg>`,
    `<svg><image xlink:href='${PATH}'/></svg>`,
    `<input type=image src=${PATH}>`,
    `<div style="color: red; background: url(${PATH})">`,
    `<div style="background: URL( '${PATH}' )">`,
    `<td style='background-image:url("${PATH}"), none'>`,
    `<p style="background:u\\72l(\\2f api\\2fv2/entities/attachments/${ID})">`,
  ])
    isFound(text)
})

test('an image in Markdown is found in every spelling', () => {
  for (const text of [
    `before ![a picture](${PATH}) after`,
    `![](${PATH} "a title")`,
    `![a](<${PATH}>)`,
    `![a](\n  ${PATH}\n  'title')`,
    `![a](${PATH}`,
    `[![a](${PATH})](https://example.com)`,
    `![a [nested](x) alt](${PATH})`,
    `![a \\] b](${PATH})`,
    `![a \`]\` b](${PATH})`,
    `![a \`[\` b](${PATH})`,
    `![a](x(1)/..${PATH})`,
    `![a](http://[::1]:8080${PATH})`,
    `![a][ref]\n\n[ref]: ${PATH} "title"`,
    `[ref]: <${PATH}>\n\n![a][ ReF ]`,
    `![ref][]\n\n> [ref]: ${PATH}`,
    `![Ref\n  one]\n\n- [ref one]:\n   ${PATH}`,
    `![ref]\n\n[ref]: /other.png\n[ref]: http://[::1]:8080${PATH}`,
    `![a](/api/v2/entity\\_attachments/${ID})`,
  ])
    isFound(text)
})

test('the URL of an image is read as browsers and servers read it', () => {
  for (const url of [
    `https://corvus.example:8443${PATH}`,
    `//corvus.example${PATH}`,
    `api/v2/entities/attachments/${ID}`,
    `entities/attachments/${ID}`,
    `../../entities/attachments/${ID}/`,
    `/private/entity-attachments/${ID}`,
    `/private/entity_attachments/${ID}/download/`,
    `/private/attachments/${ID}`,
    `/api/v17/attachments/${ID}`,
    `/proxy/api/v2/x/attachments/${ID}`,
    `${PATH}?size=3#top`,
    `${PATH.slice(0, -9)}?size=3`,
    PATH.toUpperCase(),
    PATH.replaceAll('/', '\\'),
    PATH.replaceAll('/', '//'),
    PATH.replaceAll('/', '/./'),
    `/api/v2/entities/x/../attachments/y/../${ID}`,
    `/api/v2/entities/attachments/${ID}/%252e%252e`,
    encodeAll(PATH, percent),
    encodeAll(encodeAll(PATH, percent), (code) => (code === 37 ? '%25' : String.fromCharCode(code))),
  ]) {
    isFound(`<img src="${url}">`)
    isFound(`![a](<${url.replaceAll('\\', '\\\\')}>)`)
  }
})

test('HTML character references hide nothing', () => {
  for (const url of [
    encodeAll(PATH, (code) => `&#${code};`),
    encodeAll(PATH, (code) => `&#X${code.toString(16)};`),
    PATH.replaceAll('/', '&sol;'),
    PATH.replaceAll('/', '&#x2F;'),
    PATH.replaceAll('/a', '&#47a'),
    PATH.replaceAll('/', '&bsol;'),
    `/private/entity&lowbar;attachments/${ID}`,
    `/&amp;/../entities&Tab;/attach&NewLine;ments/${ID}`,
    `/entities/attach\tments/\r\n${ID}`,
    `/&#99999999999;/..${PATH}`,
  ])
    isFound(`<img src="${url}">`)
  isFound(`![a](${encodeAll(PATH, (code) => `&#${code};`)})`)
})

test('links, texts and external images are not images of attachments', () => {
  for (const text of [
    '',
    PATH,
    `<a href="${PATH}">img</a> image source`,
    `<img alt="x"> <a href="${PATH}">file</a>`,
    `<img src="/logo.png"> src="${PATH}"`,
    `<img data-src="${PATH}" alt="${PATH}" src="/logo.png">`,
    `[file](${PATH}) ![logo](/logo.png) [file](${PATH})`,
    `![logo](/logo.png "see") [![logo](/logo.png)](${PATH})`,
    `Look at that![1] and [file](${PATH})`,
    `![unclosed\n\n[file](${PATH})`,
    `\\![file](${PATH})`,
    `![logo][a] [file][b]\n\n[a]: /logo.png\n[b]: ${PATH}`,
    `![logo]\n\n[logo]: /logo.png\n[file]: ${PATH}\n\n[file]`,
    `![a](https://example.com/?next=${PATH})`,
    `<img src="https://example.com/x#${PATH}">`,
    `<img src="https://example.com/attachments/${ID}">`,
    `<img src="attachments/${ID}">`,
    `<img src="/api/v2/entities/${ID}">`,
    `<img src="/api/v2/entities/attachments/${ID.slice(1)}">`,
    `<img src="${PATH}/../../../logo.png">`,
    `<img src="data:image/png;base64,${PATH}">`,
  ])
    isNotFound(text)
})

test('every attachment is named once, in lower case', () => {
  const text = `<img src="${PATH.toUpperCase()}" srcset="${ELSEWHERE} 2x"> ![a](${PATH}) ![b](${ELSEWHERE})`
  assert.deepEqual(embeddedAttachments(text), [ID, OTHER])
})

test('an image is found inside any text', () => {
  const plain = fc.string({ unit: fc.constantFrom(...'ab <>&;%/.!()\n\\') })
  fc.assert(
    fc.property(plain, plain, (before, after) => {
      assert.ok(embeddedAttachments(`${before}<img src="${PATH}">${after}`).includes(ID))
      assert.ok(embeddedAttachments(`${before}\n\n![a](${PATH} "t")${after}`).includes(ID))
    }),
  )
})

test('any text can be read', () => {
  const piece = fc.constantFrom(
    ...[
      '<img ',
      'src=',
      '"',
      "'",
      '>',
      '![',
      ']',
      '(',
      ')',
      '[',
      ']:',
      '&#',
      'x2f;',
      '%',
      '\\',
      'style=',
      'url(',
      '`',
      ' ',
      '\n\n',
      PATH,
    ],
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
      for (const id of embeddedAttachments(pieces.join(''))) assert.equal(id, ID)
    }),
  )
})

/** The CPU time for a text in seconds. Elapsed time would depend on the load of the machine. */
function secondsFor(text: string): number {
  const { user, system } = process.cpuUsage()
  embeddedAttachments(text)
  const spent = process.cpuUsage({ user, system })
  return (spent.user + spent.system) / 1_000_000
}

test('a megabyte of unfinished images is read within a second', () => {
  for (const piece of ['<img src=', '![']) {
    const text = piece.repeat(MEGABYTE / piece.length)
    assert.ok(secondsFor(text) < 1, piece)
  }
})

test('hostile text takes time linear in its length', () => {
  const tags = ['<', '<img', '<img ', '<img/', '<a<img ', '<img src=', '<img src="', '<img/src=', '<img/src="', '<a=']
  const values = [
    '<img a=" b="',
    `<img x='<img y="' z='" `,
    '<p style="&#',
    '<p style=\\',
    '<img srcset=,',
    '<img src=/../',
  ]
  const marks = [
    '![',
    '![]',
    '![a](',
    '![](<',
    '](',
    '![a][',
    '![a]\n[a]:',
    '[a]:',
    '![\\[',
    '![`',
    '![a](()',
    '\n ',
    '%25',
  ]
  for (const piece of [...tags, ...values, ...marks])
    for (const start of ['', '![a](', '<img src="', '![a][a]\n[a]:']) {
      const text = start + piece.repeat(MEGABYTE / 5 / piece.length)
      // If the time grew with the square of the length, this would be tens of seconds.
      assert.ok(secondsFor(text) < 1, `${start} ${piece}`)
    }
})

test('brackets within brackets are read in one pass', () => {
  for (const piece of ['[', '![', '![`']) {
    const text = `![${piece.repeat(MEGABYTE / 5)}${']'.repeat(MEGABYTE / 5)}`
    assert.ok(secondsFor(text) < 1, piece)
  }
})
