/** The path that tells a client of its own plan, allowance and use. */
import { accountSchema } from '../../access/account-schema.ts'
import { headerReferences, rateHeaders, reference, responseName, securityOf } from './shared.ts'

export const accountTag = 'Account'

export const accountOperation = {
  operationId: 'account',
  tags: [accountTag],
  summary: 'Account',
  description:
    'The plan of the key, or of the address where none is sent; what is left of the allowance of the UTC day; and what was asked by day and, with a key, by dataset, today included. Takes nothing from the allowance.',
  security: securityOf('Public'),
  responses: {
    200: {
      description: 'Plan, allowance and use.',
      headers: headerReferences(rateHeaders),
      content: { 'application/json': { schema: accountSchema } },
    },
    ...Object.fromEntries(
      [400, 401, 414, 429, 431, 500, 503].map((status) => [
        status,
        reference('responses', responseName(status)),
      ]),
    ),
  },
  externalDocs: { url: '/docs/access' },
}
