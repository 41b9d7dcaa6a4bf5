package io.github.liquidscheduler.placement.colocation.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy.CandidateScores;
import io.github.liquidscheduler.placement.colocation.KnownLoads;
import io.github.liquidscheduler.placement.colocation.SharedGpu;
import io.github.liquidscheduler.placement.colocation.SharedGpu.CoRunner;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.placement.colocation.search.CandidateJob;
import io.github.liquidscheduler.placement.colocation.search.RandomCluster;
import io.github.liquidscheduler.prediction.Observations;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class NewCoRunnersLaws {

  /** The observations after a number of reports. */
  private record Known(int reports) implements Observations {}

  /** Admits by all that it is told of two jobs and by what is known, without sense. */
  private static final class Fickle implements ColocationPolicy {
    @Override
    public String name() {
      return "fickle";
    }

    @Override
    public double costOfEmpty() {
      return 0;
    }

    @Override
    public void score(
        List<SharedGpu> candidates, Observations observations, CandidateScores scores) {
      for (int i = 0; i < candidates.size(); i++) {
        if (admits(candidates.get(i), observations)) {
          scores.admit(i, 0, 1);
        }
      }
    }

    static boolean admits(SharedGpu candidate, Observations known) {
      CoRunner resident = candidate.residents().getFirst();
      int seen = Objects.hash(candidate.gpu(), candidate.candidateJob(), resident, known);
      return Math.floorMod(seen, 5) < 2;
    }
  }

  @Property(tries = 100)
  void whoWasJudgedBeforeIsJudgedAsIfForTheFirstTime(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    RandomCluster cluster = new RandomCluster(random);
    SharingMode mode =
        random.nextBoolean() ? cluster.mode : new SharingMode.Mps(2 + random.nextInt(3));
    Colocation colocation =
        Colocation.builder(new Fickle()).profiles(KnownLoads::profile).mode(mode).build();
    SeenCoRunners seen = new SeenCoRunners(colocation);
    for (int report = 0; report < 5; report++) {
      List<JobSpec> waiting = cluster.candidateJobs(8);
      Map<CoRunnerKind, JobSpec> kinds = new LinkedHashMap<>();
      waiting.stream()
          .filter(CandidateJob::mayShare)
          .forEach(job -> kinds.putIfAbsent(CoRunnerKind.of(job), job));
      List<Workload> measured = List.of(waiting.getFirst().workload());
      Observations before = cluster.state.observations();
      cluster.state.observe(new Known(report));
      NewCoRunners known = new NewCoRunners(colocation, seen, cluster.state, before);
      NewCoRunners fresh =
          new NewCoRunners(colocation, new SeenCoRunners(colocation), cluster.state, before);

      assertThat(known.among(kinds, measured)).isEqualTo(fresh.among(kinds, measured));
      for (JobSpec job : cluster.candidateJobs(2)) {
        if (cluster.state.placement(job.id()).isEmpty()) {
          cluster.start(job);
        }
      }
    }
  }
}
