import { API_ROOT } from '../catalog/catalog.ts'

export const ACCOUNT_PATH = `${API_ROOT}/account/`

/** JSON Schema of an account. */
export const accountSchema = {
  type: 'object',
  required: ['data', 'links'],
  additionalProperties: false,
  properties: {
    data: {
      type: 'object',
      required: ['plan', 'key', 'allowance', 'use'],
      additionalProperties: false,
      properties: {
        plan: { type: 'string', enum: ['none', 'free', 'premium'] },
        key: {
          type: ['object', 'null'],
          description: 'Null without a key.',
          required: ['id', 'name', 'created_at'],
          properties: {
            id: { type: 'string' },
            name: { type: 'string' },
            created_at: { type: 'string', format: 'date-time' },
          },
        },
        allowance: {
          type: 'object',
          required: ['limit', 'used', 'left', 'resets_at', 'requests_a_second'],
          properties: {
            limit: { type: ['integer', 'null'], description: 'Answers a UTC day; null: without limit.' },
            used: { type: 'integer', minimum: 0 },
            left: { type: ['integer', 'null'], minimum: 0 },
            resets_at: { type: 'string', format: 'date-time' },
            requests_a_second: { type: ['integer', 'null'], description: 'Null: without limit.' },
          },
        },
        use: {
          type: 'array',
          description:
            'The last 31 days of a key, or today of an address; the newest first, days without use left out.',
          items: {
            type: 'object',
            required: ['date', 'requests', 'datasets'],
            properties: {
              date: { type: 'string', format: 'date' },
              requests: { type: 'integer', minimum: 1 },
              datasets: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['dataset', 'requests'],
                  properties: { dataset: { type: 'string' }, requests: { type: 'integer', minimum: 1 } },
                },
              },
            },
          },
        },
      },
    },
    links: {
      type: 'object',
      required: ['self', 'docs'],
      properties: { self: { type: 'string' }, docs: { type: 'string' } },
    },
  },
} as const
