import { type Dialect, type Progressed, recordedReport } from './dialect.ts'

const key = 'key-of-joe-0003'
const NUMBERS = { submission: 500_000, analysis: 100_000 }

/** Joe Sandbox v2, https://jbxcloud.joesecurity.org/userguide?sphinxurl=usage%2Fwebapi.html: each call is a form with the key. */
export const joeDialect: Dialect = {
  base: '/api',
  key,
  idOf: (number) => String(NUMBERS.submission + number),
  isAuthorised: ({ fields }) => fields.apikey === key,
  unauthorised: { errors: [{ code: 4, message: 'Invalid API key.' }] },
  recognise: (method, path) => {
    if (method !== 'POST') return undefined
    if (path === '/api/v2/server/online') return { what: 'check' }
    if (path === '/api/v2/analysis/search') return { what: 'find' }
    if (path === '/api/v2/submission/new') return { what: 'submit' }
    if (path === '/api/v2/submission/info') return { what: 'poll' }
    if (path === '/api/v2/analysis/info') return { what: 'poll', part: 'analysis' }
    return path === '/api/v2/analysis/download' ? { what: 'report' } : undefined
  },
  wantedIn: ({ fields: { q, submission_id, webid } }) =>
    q ?? submission_id ?? String(Number(webid) - NUMBERS.analysis + NUMBERS.submission),
  checked: () => ({ body: { data: { online: true } } }),
  found: (analyses) => ({ body: { data: analyses.map((each) => ({ webid: webidOf(each) })).reverse() } }),
  submitted: ({ id }) => ({ body: { data: { submission_id: id } } }),
  polled: (analysis, part) => ({ body: { data: part === 'analysis' ? infoOf(analysis) : submissionOf(analysis) } }),
  reported: (analysis) => ({ body: recordedReport('joe', analysis) }),
  screenshot: () => ({ status: 404, body: {} }),
  unknown: { status: 400, body: { errors: [{ code: 3, message: 'Invalid parameter.' }] } },
}

const webidOf = ({ number }: { number: number }): string => String(NUMBERS.analysis + number)

const infoOf = (analysis: Progressed) => {
  const isClean = analysis.filename?.includes('clean') === true
  const detection = isClean ? 'clean' : 'malicious'
  const run = { detection, error: null, system: 'w10x64', yara: !isClean, score: isClean ? 2 : 92 }
  return {
    ...{
      webid: webidOf(analysis),
      status: analysis.isFinished ? 'finished' : 'running',
      time: '2026-02-03T10:00:00+00:00',
    },
    ...{ md5: analysis.md5, sha1: analysis.sha1, sha256: analysis.sha256, filename: analysis.filename, duration: 300 },
    ...{ detection, score: run.score, threatname: isClean ? 'Unknown' : 'InventedBot', classification: '' },
    ...{ tags: isClean ? [] : ['invented'], has_malwareconfig: !isClean, runs: [run] },
  }
}

function submissionOf(analysis: Progressed) {
  const info = infoOf(analysis)
  const { webid, detection, score } = info
  if (analysis.isFailed) {
    const runs = [{ detection: 'unknown', error: 'The sample could not be started', system: 'w10x64', yara: false }]
    return { submission_id: analysis.id, status: 'finished', analyses: [{ webid, runs }], most_relevant_analysis: null }
  }
  if (!analysis.isFinished)
    return { submission_id: analysis.id, status: analysis.progress < 0.5 ? 'submitted' : 'running' }
  return {
    submission_id: analysis.id,
    status: 'finished',
    analyses: [info],
    most_relevant_analysis: { webid, detection, score },
  }
}
