/** The elements that texts of users may consist of; all others are removed. */
export const RICH_TEXT_TAGS: readonly string[] = (
  'a abbr b blockquote br caption cite code col colgroup dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins ' +
  'kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var'
).split(' ')
