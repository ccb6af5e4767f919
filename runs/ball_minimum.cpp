#include "runs/ball_minimum.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace oddsbound::runs {

namespace {

using Vector = std::vector<double>;

double inner(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }
double length(const Vector& a) { return std::sqrt(inner(a, a)); }

struct EigenPairs {
  Vector values;
  std::vector<Vector> vectors;  // [value], each of length 1
};

// Rotates two coordinates so that their common entry becomes 0.
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

// By Jacobi's rotations, sweep after sweep; each sweep about squares what is left beside the diagonal.
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

// (A + multiplier)^-1 b in the coordinates of the eigenvectors, where b is `along`; 0 where that is.
Vector shifted(const Vector& eigenvalues, const Vector& along, double multiplier) {
  Vector result;
  for (std::size_t i = 0; i < along.size(); ++i) {
    result.push_back(along[i] == 0 ? 0 : along[i] / (eigenvalues[i] + multiplier));
  }
  return result;
}

// A minimum is (A + multiplier)^-1 b for the least multiplier >= 0 that leaves no negative eigenvalue and makes it
// short enough: the length falls as the multiplier grows. If it is shorter than the radius where the least eigenvalue
// just becomes 0, steps along that eigenvector cost nothing, and lead to the sphere ("the hard case").
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

BallMinimum minimum_in_ball(const SymmetricMatrix& a, const std::vector<double>& b, double radius) {
  const EigenPairs eigen = eigen_of(a);
  Vector along;
  for (const Vector& vector : eigen.vectors) along.push_back(inner(vector, b));
  const Vector place = minimum_along(eigen.values, along, radius);
  BallMinimum result;
  result.place.assign(a.size, 0.0);
  for (std::size_t i = 0; i < a.size; ++i) {
    for (std::size_t k = 0; k < a.size; ++k) result.place[k] += place[i] * eigen.vectors[i][k];
    result.value += eigen.values[i] * place[i] * place[i] / 2 - along[i] * place[i];
  }
  result.least_eigenvalue = *std::min_element(eigen.values.begin(), eigen.values.end());
  result.on_the_sphere = length(place) >= radius * (1 - 1e-9);
  return result;
}

}  // namespace oddsbound::runs
