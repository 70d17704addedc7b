import { type Dialect, PIXEL, recordedReport } from './dialect.ts'

const key = 'key-of-cape-0001'
const STATUSES = ['pending', 'running', 'completed'] as const

/** CAPEv2, https://capev2.readthedocs.io/en/latest/usage/api.html: errors have the status 200. */
export const capeDialect: Dialect = {
  base: '',
  key,
  idOf: (number) => String(1000 + number),
  isAuthorised: ({ headers }) => headers.authorization === `Token ${key}`,
  unauthorised: { detail: 'Invalid token.' },
  recognise: (method, path) => {
    const [, first = '', ...rest] = path.replace(/\/$/, '').split('/')
    if (first !== 'apiv2') return undefined
    const [group, action, id, format] = rest
    const asked = `${method} ${group}/${action}`
    if (asked === 'POST tasks/create' && (id === 'file' || id === 'url')) return { what: 'submit' }
    if (asked === 'GET cuckoo/status') return { what: 'check' }
    if (asked === 'GET tasks/search' && id === 'sha256') return { what: 'find', sha256: format ?? '' }
    if (asked === 'GET tasks/status') return { what: 'poll', id: id ?? '' }
    if (asked !== 'GET tasks/get') return undefined
    return id === 'report'
      ? { what: 'report', id: format ?? '' }
      : id === 'screenshot'
        ? { what: 'screenshot', id: format ?? '' }
        : undefined
  },
  checked: () => ({ body: { error: [], data: { version: '2.4-CAPE', tasks: { total: 12, pending: 0 } } } }),
  found: (analyses) => ({
    body: {
      error: [],
      data: analyses.map(({ id, filename, sha256, isFinished }) => ({
        ...{
          id: Number(id),
          category: 'file',
          target: filename,
          package: 'exe',
          machine: 'win10-1',
          route: 'internet',
        },
        ...{ timeout: 200, status: isFinished ? 'reported' : 'running', sample: { sha256 } },
      })),
    },
  }),
  submitted: ({ id }) => ({
    body: { error: [], data: { task_ids: [Number(id)], message: `Task ${id} was added` }, errors: [] },
  }),
  polled: ({ isFinished, isFailed, progress }) => ({
    body: {
      error: false,
      data: isFailed ? 'failed_analysis' : isFinished ? 'reported' : STATUSES[Math.floor(progress * STATUSES.length)],
    },
  }),
  reported: (analysis) => ({ body: recordedReport('cape', analysis) }),
  screenshot: () => ({ type: 'image/png', body: PIXEL }),
  unknown: { body: { error: true, error_value: 'Task does not exist' } },
}
