import { type Dialect, recordedReport } from './dialect.ts'

const key = 'key-of-hybrid-analysis-0004'

/** Hybrid Analysis v2, https://www.hybrid-analysis.com/docs/api/v2. */
export const hybridAnalysisDialect: Dialect = {
  base: '',
  key,
  idOf: (number) => `65be0c1a2b3c4d5e6f${String(700_000 + number)}`,
  isAuthorised: ({ headers }) => headers['api-key'] === key && headers['user-agent'] === 'Falcon Sandbox',
  unauthorised: { message: 'The provided API key is invalid' },
  recognise: (method, path, query) => {
    const [, api, version, group, id, name] = path.split('/')
    if (api !== 'api' || version !== 'v2') return undefined
    if (method === 'POST') return group === 'submit' && (id === 'file' || id === 'url') ? { what: 'submit' } : undefined
    if (group === 'key') return { what: 'check' }
    if (group === 'search') return { what: 'find', sha256: query.get('hash') ?? '' }
    if (group !== 'report') return undefined
    if (name === 'state') return { what: 'poll', id: id ?? '' }
    return name === 'summary' ? { what: 'report', id: id ?? '' } : undefined
  },
  checked: () => ({ body: { auth_level: 100, auth_level_name: 'default' } }),
  found: (analyses) =>
    analyses.length === 0
      ? { status: 404, body: { message: 'Requested hash not found' } }
      : {
          body: {
            sha256s: [...new Set(analyses.map(({ sha256 }) => sha256))],
            reports: analyses
              .map(({ id, isFinished }) => ({
                ...{ id, environment_id: 160, environment_description: 'Windows 10 64 bit' },
                ...{ state: isFinished ? 'SUCCESS' : 'IN_PROGRESS', verdict: isFinished ? 'malicious' : null },
              }))
              .reverse(),
          },
        },
  submitted: ({ id, number, sha256 }) => ({
    status: 201,
    body: {
      ...{ job_id: id, submission_id: `65be0c1a2b3c4d5e6e${String(700_000 + number)}`, environment_id: 160 },
      sha256: sha256 ?? 'a'.repeat(64),
    },
  }),
  polled: ({ isFinished, isFailed, progress }) => ({
    body: isFailed
      ? {
          state: 'ERROR',
          error_type: 'FILE_TYPE_BAD_ERROR',
          error_origin: 'CLIENT',
          error: 'File type is not supported',
        }
      : { state: isFinished ? 'SUCCESS' : progress < 0.5 ? 'IN_QUEUE' : 'IN_PROGRESS', related_reports: [] },
  }),
  reported: (analysis) => ({ body: recordedReport('hybrid_analysis', analysis) }),
  screenshot: () => ({ status: 404, body: {} }),
  unknown: { status: 404, body: { message: 'Requested report not found' } },
}
