import { type Dialect, PIXEL, recordedReport } from './dialect.ts'

const key = 'key-of-triage-0002'
const STATUSES = ['pending', 'static_analysis', 'running', 'processing'] as const
const NOT_FOUND = { status: 404, body: { error: 'NOT_FOUND', message: 'The requested sample does not exist' } }

/** Triage, https://tria.ge/docs/cloud-api/samples/. */
export const triageDialect: Dialect = {
  base: '',
  key,
  idOf: (number) => `260203-inv${String(number).padStart(7, '0')}`,
  isAuthorised: ({ headers }) => headers.authorization === `Bearer ${key}`,
  unauthorised: { error: 'UNAUTHORIZED', message: 'The given token is not valid' },
  recognise: (method, path, query) => {
    const [, api, version, group, id, name, file] = path.split('/')
    if (api !== 'api' || !/^v[01]$/.test(version ?? '')) return undefined
    if (method === 'POST') return group === 'samples' && id === undefined ? { what: 'submit' } : undefined
    if (group === 'search') return { what: 'find', sha256: /^sha256:(\w+)$/.exec(query.get('query') ?? '')?.[1] ?? '' }
    if (group !== 'samples') return undefined
    if (id === undefined) return { what: 'check' }
    if (name === undefined) return { what: 'poll', id }
    if (file === 'screenshot.png') return { what: 'screenshot', id }
    if (file === 'report_triage.json') return { what: 'report', id, part: 'task-answer' }
    return name === 'overview.json' ? { what: 'report', id } : undefined
  },
  checked: () => ({ body: { data: [], next: null } }),
  found: (analyses) => ({
    body: {
      data: analyses
        .map(({ id, filename, isFinished }) => ({
          ...{ id, status: isFinished ? 'reported' : 'running', kind: 'file', filename, private: true },
          ...{ submitted: '2026-02-03T10:00:00Z' },
        }))
        .reverse(),
      next: null,
    },
  }),
  submitted: ({ id, filename, url }) => ({
    body: { id, status: 'pending', kind: url ? 'url' : 'file', filename, url, private: true },
  }),
  polled: ({ id, isFinished, isFailed, progress }) => ({
    body: {
      id,
      status: isFailed ? 'failed' : isFinished ? 'reported' : STATUSES[Math.floor(progress * STATUSES.length)],
      tasks: [{ id: 'static1', status: 'reported' }],
    },
  }),
  reported: (analysis, part) => ({ body: recordedReport('triage', analysis, part) }),
  screenshot: () => ({ type: 'image/png', body: PIXEL }),
  unknown: NOT_FOUND,
}
