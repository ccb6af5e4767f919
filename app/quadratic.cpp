#include "app/quadratic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "base/errors.h"
#include "reports/estimate_result.h"

namespace oddsbound::app {

namespace {

using Vector = std::vector<double>;

double inner(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }
double length(const Vector& a) { return std::sqrt(inner(a, a)); }

struct EigenPairs {
  Vector values;
  std::vector<Vector> vectors;  // [value], each of length 1
};

// Jacobi rotation of coordinates p and q: makes a(p, q) zero.
void rotate(SymmetricMatrix& a, std::vector<Vector>& vectors, std::size_t p, std::size_t q) {
  if (a.at(p, q) == 0) return;
  const double slope = (a.at(q, q) - a.at(p, p)) / (2 * a.at(p, q));
  const double tangent = (slope >= 0 ? 1 : -1) / (std::abs(slope) + std::hypot(slope, 1));
  const double cosine = 1 / std::hypot(tangent, 1);
  const double sine = tangent * cosine;
  const auto turn = [&](double& at_p, double& at_q) {
    const double before = at_p;
    at_p = cosine * before - sine * at_q;
    at_q = sine * before + cosine * at_q;
  };
  for (std::size_t k = 0; k < a.size; ++k) turn(a.at(k, p), a.at(k, q));
  for (std::size_t k = 0; k < a.size; ++k) turn(a.at(p, k), a.at(q, k));
  for (std::size_t k = 0; k < a.size; ++k) turn(vectors[p][k], vectors[q][k]);
  a.at(p, q) = a.at(q, p) = 0;
}

// Jacobi's method, cyclic sweeps. Each sweep roughly squares the off-diagonal norm.
EigenPairs eigen_of(SymmetricMatrix a) {
  constexpr int kMostSweeps = 60;
  EigenPairs result;
  result.vectors.assign(a.size, Vector(a.size, 0.0));
  for (std::size_t i = 0; i < a.size; ++i) result.vectors[i][i] = 1;
  const double whole = length(a.entries);
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double beside = 0;
    for (std::size_t p = 0; p < a.size; ++p) {
      for (std::size_t q = p + 1; q < a.size; ++q) beside += a.at(p, q) * a.at(p, q);
    }
    if (std::sqrt(beside) <= 1e-16 * whole) break;
    for (std::size_t p = 0; p < a.size; ++p) {
      for (std::size_t q = p + 1; q < a.size; ++q) rotate(a, result.vectors, p, q);
    }
  }
  for (std::size_t i = 0; i < a.size; ++i) result.values.push_back(a.at(i, i));
  return result;
}

// (A + multiplier)^-1 b in eigenvector coordinates, where b is `along`; 0 in coordinates where b is 0.
Vector shifted(const Vector& eigenvalues, const Vector& along, double multiplier) {
  Vector result;
  for (std::size_t i = 0; i < along.size(); ++i) {
    result.push_back(along[i] == 0 ? 0 : along[i] / (eigenvalues[i] + multiplier));
  }
  return result;
}

// A minimum is (A + m)^-1 b for the smallest m >= 0 for which A + m is positive semidefinite and the length is at
// most the radius; the length decreases in m. If the length is below the radius at m = -(least eigenvalue), steps
// along that eigenvector are free and lead to the sphere ("the hard case").
Vector minimum_along(const Vector& eigenvalues, const Vector& along, double radius) {
  const auto least =
      static_cast<std::size_t>(std::min_element(eigenvalues.begin(), eigenvalues.end()) - eigenvalues.begin());
  double low = std::max(0.0, -eigenvalues[least]);
  Vector place = shifted(eigenvalues, along, low);
  if (low == 0 && length(place) <= radius) return place;
  if (length(place) > radius) {
    double high = low + length(along) / radius;
    for (double middle = low + (high - low) / 2; low < middle && middle < high; middle = low + (high - low) / 2) {
      (length(shifted(eigenvalues, along, middle)) > radius ? low : high) = middle;
    }
    place = shifted(eigenvalues, along, high);
  }
  const double missing = std::max(0.0, radius * radius - inner(place, place));
  place[least] = std::copysign(std::sqrt(place[least] * place[least] + missing), along[least]);
  return place;
}

}  // namespace

QuadraticMinimum minimum_in_ball(const SymmetricMatrix& a, const std::vector<double>& b, double radius) {
  const EigenPairs eigen = eigen_of(a);
  Vector along;
  for (const Vector& vector : eigen.vectors) along.push_back(inner(vector, b));
  const Vector place = minimum_along(eigen.values, along, radius);
  QuadraticMinimum result;
  result.place.assign(a.size, 0.0);
  for (std::size_t i = 0; i < a.size; ++i) {
    for (std::size_t k = 0; k < a.size; ++k) result.place[k] += place[i] * eigen.vectors[i][k];
    result.value += eigen.values[i] * place[i] * place[i] / 2 - along[i] * place[i];
  }
  result.least_eigenvalue = *std::min_element(eigen.values.begin(), eigen.values.end());
  result.on_the_sphere = length(place) >= radius * (1 - 1e-9);
  return result;
}

namespace {

double value_at(const SymmetricMatrix& a, const Vector& b, const Vector& x) {
  double value = 0;
  for (std::size_t i = 0; i < a.size; ++i) {
    value -= b[i] * x[i];
    for (std::size_t j = 0; j < a.size; ++j) value += x[i] * a.at(i, j) * x[j] / 2;
  }
  return value;
}

Vector gradient_at(const SymmetricMatrix& a, const Vector& b, const Vector& x) {
  Vector gradient;
  for (std::size_t i = 0; i < a.size; ++i) {
    gradient.push_back(-b[i]);
    for (std::size_t j = 0; j < a.size; ++j) gradient.back() += a.at(i, j) * x[j];
  }
  return gradient;
}

// The solution of A x = b by Cholesky's factors; nullopt unless A is positive definite, by more than rounding.
std::optional<Vector> solved(SymmetricMatrix a, Vector b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size; ++i) largest = std::max(largest, std::abs(a.at(i, i)));
  for (std::size_t j = 0; j < a.size; ++j) {
    for (std::size_t k = 0; k < j; ++k) a.at(j, j) -= a.at(j, k) * a.at(j, k);
    if (!(a.at(j, j) > 1e-13 * largest)) return std::nullopt;
    a.at(j, j) = std::sqrt(a.at(j, j));
    for (std::size_t i = j + 1; i < a.size; ++i) {
      for (std::size_t k = 0; k < j; ++k) a.at(i, j) -= a.at(i, k) * a.at(j, k);
      a.at(i, j) /= a.at(j, j);
    }
  }
  for (std::size_t i = 0; i < a.size; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a.at(i, k) * b[k];
    b[i] /= a.at(i, i);
  }
  for (std::size_t i = a.size; i-- > 0;) {
    for (std::size_t k = i + 1; k < a.size; ++k) b[i] -= a.at(k, i) * b[k];
    b[i] /= a.at(i, i);
  }
  return b;
}

// Keeps the best of the places that it is given.
class Best {
 public:
  Best(const SymmetricMatrix& a, const Vector& b) : a_(a), b_(b) {}
  void add(const Vector& place) {
    const double value = value_at(a_, b_, place);
    if (!result_.place.empty() && !(value < result_.value)) return;
    result_.place = place;
    result_.value = value;
  }
  QuadraticMinimum take() { return std::move(result_); }

 private:
  const SymmetricMatrix& a_;
  const Vector& b_;
  QuadraticMinimum result_;
};

// The stationary place of the face of a box on which the coordinates `free` vary and the others are those of `place`.
void add_face_of_box(const SymmetricMatrix& a, const Vector& b, const Vector& lower, const Vector& upper, Vector place,
                     const std::vector<std::size_t>& free, Best& best) {
  SymmetricMatrix inner{free.size(), Vector(free.size() * free.size())};
  Vector right;
  std::vector<bool> varies(a.size, false);
  for (const std::size_t i : free) varies[i] = true;
  for (std::size_t s = 0; s < free.size(); ++s) {
    right.push_back(b[free[s]]);
    for (std::size_t j = 0; j < a.size; ++j) {
      if (!varies[j]) right.back() -= a.at(free[s], j) * place[j];
    }
    for (std::size_t t = 0; t < free.size(); ++t) inner.at(s, t) = a.at(free[s], free[t]);
  }
  const std::optional<Vector> stationary = solved(inner, right);
  if (!stationary) return;
  for (std::size_t s = 0; s < free.size(); ++s) {
    if (!((*stationary)[s] >= lower[free[s]] && (*stationary)[s] <= upper[free[s]])) return;
    place[free[s]] = (*stationary)[s];
  }
  best.add(place);
}

// Each coordinate in turn is at its lower end, at its upper end, or free.
QuadraticMinimum best_face_of_box(const SymmetricMatrix& a, const Vector& b, const Vector& lower, const Vector& upper,
                                  Budget& budget) {
  Best best(a, b);
  std::size_t faces = 1;
  for (std::size_t i = 0; i < a.size; ++i) faces *= 3;
  for (std::size_t face = 0; face < faces; ++face) {
    budget.check_every();
    Vector place(a.size);
    std::vector<std::size_t> free;
    std::size_t rest = face;
    for (std::size_t i = 0; i < a.size; ++i, rest /= 3) {
      if (rest % 3 == 2) free.push_back(i);
      place[i] = rest % 3 == 0 ? lower[i] : upper[i];
    }
    add_face_of_box(a, b, lower, upper, std::move(place), free, best);
  }
  return best.take();
}

// On the face of these coordinates the last is 1 minus the others: a quadratic function of the others.
void add_face_of_simplex(const SymmetricMatrix& a, const Vector& b, std::vector<std::size_t> positive, Best& best) {
  const std::size_t last = positive.back();
  positive.pop_back();
  SymmetricMatrix inner{positive.size(), Vector(positive.size() * positive.size())};
  Vector right;
  for (std::size_t s = 0; s < positive.size(); ++s) {
    const std::size_t i = positive[s];
    right.push_back(b[i] - b[last] - a.at(i, last) + a.at(last, last));
    for (std::size_t t = 0; t < positive.size(); ++t) {
      const std::size_t j = positive[t];
      inner.at(s, t) = a.at(i, j) - a.at(i, last) - a.at(last, j) + a.at(last, last);
    }
  }
  const std::optional<Vector> stationary = solved(inner, right);
  if (!stationary) return;
  Vector place(a.size, 0.0);
  place[last] = 1;
  for (std::size_t s = 0; s < positive.size(); ++s) {
    if (!((*stationary)[s] >= 0)) return;
    place[positive[s]] = (*stationary)[s];
    place[last] -= (*stationary)[s];
  }
  if (place[last] >= 0) best.add(place);
}

QuadraticMinimum best_face_of_simplex(const SymmetricMatrix& a, const Vector& b, Budget& budget) {
  Best best(a, b);
  for (std::size_t face = 1; face < std::size_t{1} << a.size; ++face) {
    budget.check_every();
    std::vector<std::size_t> positive;
    for (std::size_t i = 0; i < a.size; ++i) {
      if ((face >> i & 1) != 0) positive.push_back(i);
    }
    add_face_of_simplex(a, b, std::move(positive), best);
  }
  return best.take();
}

// Projected gradients with momentum. nearest(x): the projection of x; least(g): the least g^T y over the set.
template <typename Nearest, typename Least>
QuadraticMinimum convex_minimum(const SymmetricMatrix& a, const Vector& b, double slope, const Nearest& nearest,
                                const Least& least, Budget& budget) {
  constexpr int kMostRounds = 200'000;
  constexpr double kEnough = 1e-12;
  Vector place = nearest(Vector(a.size, 0.0)), ahead = place;
  double momentum = 1;
  QuadraticMinimum best;
  best.above_minimum = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMostRounds; ++round) {
    budget.check();
    const Vector gradient = gradient_at(a, b, place);
    const double above = inner(gradient, place) - least(gradient);
    const double value = value_at(a, b, place);
    if (best.place.empty() || value < best.value) {
      best.place = place;
      best.value = value;
    }
    best.above_minimum = std::min(best.above_minimum, std::max(0.0, above + best.value - value));
    if (above <= kEnough * std::max(1.0, std::abs(value))) break;
    Vector step = gradient_at(a, b, ahead);
    for (std::size_t i = 0; i < a.size; ++i) step[i] = ahead[i] - step[i] / slope;
    const Vector next = nearest(step);
    const double grown = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    for (std::size_t i = 0; i < a.size; ++i) ahead[i] = next[i] + (momentum - 1) / grown * (next[i] - place[i]);
    place = next;
    momentum = grown;
  }
  return best;
}

// Also the largest slope of the gradient, for steps.
std::pair<double, double> ends_of_eigenvalues(const SymmetricMatrix& a) {
  const EigenPairs eigen = eigen_of(a);
  const auto [least, largest] = std::minmax_element(eigen.values.begin(), eigen.values.end());
  return {*least, *largest};
}

// At least the largest eigenvalue; above 0 where that is not.
double step_divisor(double largest, const Vector& b) { return std::max({largest, 1e-9 * length(b), 1e-300}); }

void require_convex(double least, double largest, std::size_t coordinates, const char* region) {
  if (least >= -1e-12 * std::max(0.0, largest)) return;
  throw ModelError("noise outweighs the second moments of the " + std::to_string(coordinates) +
                   " features: the estimated error is not convex, and its minimum in a " + region +
                   " is not found for so many; take more outputs, or a ball (--radius)");
}

}  // namespace

QuadraticMinimum minimum_in_box(const SymmetricMatrix& a, const std::vector<double>& b,
                                const std::vector<double>& lower, const std::vector<double>& upper, Budget& budget) {
  constexpr std::size_t kMostByFaces = 10;  // 3^10 faces
  const auto [least, largest] = ends_of_eigenvalues(a);
  QuadraticMinimum result;
  if (a.size <= kMostByFaces) {
    result = best_face_of_box(a, b, lower, upper, budget);
  } else {
    require_convex(least, largest, a.size, "box");
    const auto nearest = [&](Vector x) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], lower[i], upper[i]);
      return x;
    };
    const auto least_product = [&](const Vector& g) {
      double sum = 0;
      for (std::size_t i = 0; i < g.size(); ++i) sum += std::min(g[i] * lower[i], g[i] * upper[i]);
      return sum;
    };
    result = convex_minimum(a, b, step_divisor(largest, b), nearest, least_product, budget);
  }
  result.least_eigenvalue = least;
  return result;
}

QuadraticMinimum minimum_in_simplex(const SymmetricMatrix& a, const std::vector<double>& b, Budget& budget) {
  constexpr std::size_t kMostByFaces = 16;
  const auto [least, largest] = ends_of_eigenvalues(a);
  QuadraticMinimum result;
  if (a.size <= kMostByFaces) {
    result = best_face_of_simplex(a, b, budget);
  } else {
    require_convex(least, largest, a.size, "simplex");
    result = convex_minimum(
        a, b, step_divisor(largest, b), [](Vector x) { return reports::nearest_distribution(std::move(x)); },
        [](const Vector& g) { return *std::min_element(g.begin(), g.end()); }, budget);
  }
  result.least_eigenvalue = least;
  return result;
}

}  // namespace oddsbound::app
