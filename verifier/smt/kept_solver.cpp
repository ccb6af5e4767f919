#include "verifier/smt/kept_solver.h"

#include "verifier/exact/tasks.h"

namespace oddsbound::smt {

namespace {

using Status = SolverAnswer::Status;

Bytes as_bytes(const SolverAnswer& answer) {
  Packer packer;
  packer.put(static_cast<std::uint64_t>(answer.status)).put(answer.reason).put(answer.seconds);
  packer.put(std::uint64_t{answer.model.size()});
  for (const auto& [name, value] : answer.model) {
    packer.put(name).put(value.truth);
    pack(packer, value.low);
    pack(packer, value.high);
  }
  return packer.take();
}

SolverAnswer answer_from(const Bytes& bytes) {
  Unpacker unpacker(bytes);
  SolverAnswer answer;
  answer.status = unpacker.one_of(Status::kUnknown);
  answer.reason = unpacker.text();
  answer.seconds = unpacker.bound();
  for (std::size_t left = unpacker.count(32); left > 0; --left) {
    SolverValue& value = answer.model[unpacker.text()];
    value.truth = unpacker.flag();
    value.low = unpack_number(unpacker);
    value.high = unpack_number(unpacker);
  }
  unpacker.require_end();
  return answer;
}

}  // namespace

Solver kept_solver(Solver solver, Budget& budget) {
  if (budget.limits().scope == nullptr) return solver;
  return [solver = std::move(solver), &budget](const std::string& script, const ChildLimits& limits) {
    const Lead lead = [&](Hands& hands, Budget&) {
      const SolverAnswer answer = solver(script, limits);
      if (answer.status == Status::kUnknown) hands.is_unfinished({});
      return as_bytes(answer);
    };
    return answer_from(run_task(task_name("question to a solver", script), {}, lead, budget));
  };
}

}  // namespace oddsbound::smt
