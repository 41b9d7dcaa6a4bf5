/**
 * What every planner begins and ends with: from a request to a problem, and from gang assignments
 * to a plan with its certificate.
 */
@NullMarked
package io.github.liquidscheduler.planner.plan;

import org.jspecify.annotations.NullMarked;
