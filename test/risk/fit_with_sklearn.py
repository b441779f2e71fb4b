"""Fits the panel on stdin (JSON: x, y, penalty) with scikit-learn; prints the standardised coefficients, intercept first."""
import json
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression

given = json.load(sys.stdin)
x, y = np.array(given["x"]), np.array(given["y"])
z = (x - x.mean(axis=0)) / x.std(axis=0)
# half the penalty times the squares beside the loss summed up: C is its inverse
model = LogisticRegression(C=1 / given["penalty"], tol=1e-12, max_iter=10_000, solver="newton-cholesky").fit(z, y)
print(json.dumps([*model.intercept_, *model.coef_[0]]))
