-- Failure models that were trained: the newest of the features of this code is in force.
CREATE TABLE risk_models
(
    version       String,
    trained_at    DateTime64(3, 'UTC'),
    features      String,                  -- which features, and how each is weighed: see riskFeaturesHash
    coefficients  Array(Float64),          -- of the log-odds: the intercept, then one a feature as it is weighed
    card          String                   -- JSON: what the training found, as risk-model serves it
)
ENGINE = MergeTree
ORDER BY trained_at;
